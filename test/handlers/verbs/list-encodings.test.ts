import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseCbor, writeCbor } from '../../../src/codec/cbor.ts';
import { prettyJson } from '../../../src/codec/pretty.ts';
import { writeYaml } from '../../../src/codec/yaml.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const OBJECTS = 1200;
/** Minimum number of event loop iterations during a list of all objects. */
const LEAST_TURNS = OBJECTS / 100;
const TABLE = ';as=Table;v=v1;g=meta.k8s.io';
const METADATA = ';as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Removes the ages from table rows: they depend on the time of the request. */
const withoutAges = (text: string): string => text.replace(/(- |")(?:\d+[dhms])+("?,?)$/gm, '$1<age>$2');

/** Never goes back: the turn of an earlier request may go on. */
let now = 0;

/**
 * Runs some work and counts the iterations of the event loop meanwhile. Each look at the clock takes a millisecond,
 * the length of a turn: work pauses wherever it may, however fast the machine is.
 */
async function countingTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  now = Math.ceil(Math.max(now, performance.now()));
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  let turns = 0;
  let running = true;
  const turn = (): void => {
    turns++;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    return { result, turns };
  } finally {
    running = false;
    clock.mockRestore();
  }
}

describe('long lists in encodings that are made from JSON', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({
      controllers: ['-*'],
      disableAdmissionPlugins: ['ServiceAccount'],
      featureGates: ['CBORServingAndStorage=true'],
    });
    const create = (name: string) =>
      cluster.fetch('/api/v1/namespaces/default/configmaps', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          metadata: { name },
          data: { 'a-b': 'é\nx', a10: `"${'long text '.repeat(30)}'`, a9: '<>', empty: '' },
          binaryData: { b: 'AAE=' },
        }),
      });
    for (let index = 0; index < OBJECTS; index++) expect((await create(`m-${index}`)).status).toBe(201);
    // The server continues to write its own objects: each list is of this version.
    version = JSON.parse(String(await get('application/json', '&limit=1'))).metadata.resourceVersion;
  });
  afterAll(() => cluster.stop());

  let version = '';
  const get = async (accept: string, query = ''): Promise<Buffer> => {
    const exact = version === '' ? '' : `resourceVersion=${version}&resourceVersionMatch=Exact`;
    const answer = await cluster.fetch(`/api/v1/namespaces/default/configmaps?${exact}${query}`, {
      headers: { accept },
    });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };

  it.each<[string, string, string, (json: string) => string]>([
    ['YAML', 'application/yaml', '', (json) => writeYaml(JSON.parse(json))],
    ['indented JSON', 'application/json', '&pretty=true', prettyJson],
    ['a table in YAML', `application/yaml${TABLE}`, '', (json) => writeYaml(JSON.parse(json))],
    ['an indented table', `application/json${TABLE}`, '&pretty=1', prettyJson],
    ['metadata in YAML', `application/yaml${METADATA}`, '', (json) => writeYaml(JSON.parse(json))],
  ])(
    '%s encodes the same bytes in parts, and yields to the event loop',
    async (_what, accept, query, encode) => {
      const compact = String(await get(accept.replace('yaml', 'json')));
      const { result, turns } = await countingTurns(() => get(accept, query));
      expect(withoutAges(String(result)) === withoutAges(encode(compact))).toBe(true);
      expect(turns).toBeGreaterThan(LEAST_TURNS);
    },
  );

  it('yields while it encodes CBOR', async () => {
    const list = JSON.parse(String(await get('application/json')));
    for (const item of list.items) item.binaryData.b = Buffer.from(item.binaryData.b, 'base64');
    const { result, turns } = await countingTurns(() => get('application/cbor'));
    expect(result.equals(writeCbor(list))).toBe(true);
    expect(turns).toBeGreaterThan(LEAST_TURNS);
  });

  it.each([`application/vnd.kubernetes.protobuf${METADATA}`, `application/json${TABLE}`])(
    '%s yields to the event loop',
    async (accept) => {
      const { turns } = await countingTurns(() => get(accept));
      expect(turns).toBeGreaterThan(LEAST_TURNS);
    },
  );

  it('encodes an empty list completely', async () => {
    const none = '&labelSelector=a%3Db';
    const compact = JSON.parse(String(await get('application/json', none)));
    expect(String(await get('application/yaml', none))).toBe(writeYaml(compact));
    expect((await get('application/cbor', none)).equals(writeCbor(compact))).toBe(true);
    expect(String(await get('application/json', `${none}&pretty=1`))).toBe(JSON.stringify(compact, null, 2));
  });
});

describe('one large object', () => {
  const MEMBERS = 25_000;
  const members = (): Record<string, string> =>
    Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`k${index}`, 'value']));
  const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const KINDS = { configmaps: '/api/v1/namespaces/default/configmaps', things: '/apis/a.test/v1/things' };
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({
      controllers: ['-*'],
      featureGates: ['CBORServingAndStorage=true'],
    });
    const schema = {
      type: 'object',
      properties: { values: { type: 'object', additionalProperties: { type: 'string' } } },
    };
    const bodies: [string, object][] = [
      [
        DEFINITIONS,
        {
          metadata: { name: 'things.a.test' },
          spec: {
            group: 'a.test',
            scope: 'Cluster',
            names: { plural: 'things', kind: 'Thing' },
            versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
          },
        },
      ],
      [KINDS.configmaps, { metadata: { name: 'large', labels: { a: 'b' } }, data: members() }],
      [
        KINDS.things,
        { apiVersion: 'a.test/v1', kind: 'Thing', metadata: { name: 'large' }, values: members() },
      ],
    ];
    for (const [path, body] of bodies) {
      const create = () => cluster.fetch(path, { method: 'POST', body });
      let { status } = await create();
      // The kind is served soon after its definition was written.
      for (; status === 404; { status } = await create()) await new Promise(setImmediate);
      expect(status).toBe(201);
    }
  });
  afterAll(() => cluster.stop());

  const get = async (path: string, accept: string): Promise<Buffer> => {
    const answer = await cluster.fetch(path, { headers: { accept } });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };

  /** Without what another write of the server and a second between two requests change. */
  const comparable = (yaml: string): string =>
    withoutAges(yaml).replace(/resourceVersion: "\d+"/g, 'resourceVersion: <version>');

  /** Pauses while the forms of one object of 25,000 members are made and nothing is cached. */
  const LEAST_PAUSES = 3;

  it.each([
    ['YAML', 'yaml', ''],
    ['a table', 'json', TABLE],
    ['a table in YAML', 'yaml', TABLE],
    ['metadata', 'json', METADATA],
    ['metadata in YAML', 'yaml', METADATA],
  ])('%s is made in steps', async (what, encoding, projection) => {
    for (const path of Object.values(KINDS))
      for (const target of [path, `${path}/large`]) {
        const accept = target === path ? projection : projection.replace('List', '');
        // Another version, of which no form is cached.
        const label = { metadata: { labels: { a: `${what.length}${encoding}${target.length}` } } };
        await cluster.fetch(`${path}/large`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: JSON.stringify(label),
        });
        const { result, turns } = await countingTurns(() => get(target, `application/${encoding}${accept}`));
        expect(turns).toBeGreaterThan(LEAST_PAUSES);
        const json = JSON.parse(String(await get(target, `application/json${accept}`)));
        const text = encoding === 'yaml' ? String(result) : writeYaml(JSON.parse(String(result)));
        expect(comparable(text) === comparable(writeYaml(json))).toBe(true);
      }
  });

  it('is encoded as CBOR in steps', async () => {
    const { result, turns } = await countingTurns(() => get(KINDS.things, 'application/cbor'));
    expect(turns).toBeGreaterThan(LEAST_PAUSES);
    const { items } = parseCbor(result).value as { items: { values: object }[] };
    expect(items.map(({ values }) => values)).toEqual([members()]);
  });
});
