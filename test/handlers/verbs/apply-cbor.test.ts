import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeCbor } from '../../../src/codec/cbor.ts';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

const YAML = 'application/apply-patch+yaml';
const CBOR = 'application/apply-patch+cbor';

interface Answer {
  status: number;
  contentType: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  object: any;
}

describe('apply in CBOR', () => {
  let cluster: TestCluster;
  const namespaces: Record<string, string> = {};
  beforeAll(async () => {
    cluster = await startCluster({
      controllers: ['-*'],
      disableAdmissionPlugins: ['ServiceAccount'],
      featureGates: ['CBORServingAndStorage=true'],
    });
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    for (const type of [YAML, CBOR]) namespaces[type] = await cluster.createNamespace('applied');
  });

  const send = async (type: string, path: string, body: unknown, method = 'PATCH'): Promise<Answer> => {
    const target = path.replace('NS', namespaces[type]!);
    const encoded =
      type === CBOR && typeof body === 'object' && !(body instanceof Uint8Array)
        ? writeCbor(body as object)
        : body;
    const response = await cluster.fetch(target, {
      method,
      body: encoded,
      headers: { 'content-type': method === 'PATCH' ? type : 'application/json' },
    });
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      object: await response.json(),
    };
  };
  /**
   * The part of a response that must not depend on the encoding: everything but identity and times. Entries of
   * managedFields are ordered by their times, so those of two objects may be ordered differently.
   */
  const comparable = ({ status, object }: Answer) => {
    const { uid, resourceVersion, namespace, creationTimestamp, managedFields, ...metadata } =
      object.metadata;
    const owners = managedFields?.map(({ time, ...entry }: { time: string }) => entry);
    owners?.sort((left: object, right: object) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
    return { status, object: { ...object, metadata: { ...metadata, managedFields: owners } } };
  };
  const both = async (path: string, body: unknown): Promise<[Answer, Answer]> => [
    await send(YAML, path, body),
    await send(CBOR, path, body),
  ];

  const configMap = (data: object, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data,
    ...more,
  });
  const maps = (query: string) => `/api/v1/namespaces/NS/configmaps/a?${query}`;
  const deployments = '/apis/apps/v1/namespaces/NS/deployments/d';
  const container = {
    name: 'c',
    image: 'i',
    ports: [{ containerPort: 80 }],
    resources: { limits: { cpu: '1', memory: 1073741824 } },
  };
  const deployment = (spec: object) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec,
  });
  const whole = {
    replicas: 2,
    selector: { matchLabels: { a: 'b' } },
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [container], terminationGracePeriodSeconds: 7 },
    },
  };

  it.each([
    ['creates', [['m', '', configMap({ k: '1' })]], [201]],
    [
      'changes, adds and removes',
      [
        ['m', '', configMap({ k: '1', l: '1' })],
        ['m', '', configMap({ k: '2' })],
      ],
      [201, 200],
    ],
    [
      'shares fields with other managers',
      [
        ['m', '', configMap({ k: '1' })],
        ['n', '', configMap({ k: '1', n: '1' })],
        ['m', '', configMap({})],
      ],
      [201, 200, 200],
    ],
    [
      'conflicts',
      [
        ['m', '', configMap({ k: '1' })],
        ['n', '', configMap({ k: '2' })],
      ],
      [201, 409],
    ],
    [
      'forces',
      [
        ['m', '', configMap({ k: '1' })],
        ['n', '&force=true', configMap({ k: '2' })],
      ],
      [201, 200],
    ],
    [
      'dry run',
      [
        ['m', '&dryRun=All', configMap({ k: '1' })],
        ['m', '', configMap({ k: '1' })],
      ],
      [201, 201],
    ],
    [
      'ignores an unchanged configuration',
      [
        ['m', '', configMap({ k: '1' })],
        ['m', '', configMap({ k: '1' })],
      ],
      [201, 200],
    ],
    ['owns null values', [['m', '', configMap({ k: '1' }, { immutable: null })]], [201]],
    ['rejects unknown fields', [['m', '', configMap({}, { unknown: 1 })]], [400]],
    ['refuses another kind', [['m', '', { ...configMap({}), kind: 'Secret' }]], [400]],
    [
      'rejects managedFields',
      [['m', '', { ...configMap({}), metadata: { name: 'a', managedFields: [{}] } }]],
      [400],
    ],
    ['refuses another name', [['m', '', { ...configMap({}), metadata: { name: 'b' } }]], [400]],
    ['refuses values that do not fit', [['m', '', configMap({ k: { deep: 1 } })]], [400]],
    ['needs a manager', [['', '', configMap({})]], [422]],
  ] as [string, [string, string, object][], number[]][])('%s as in YAML', async (_, steps, statuses) => {
    for (const [index, [manager, query, body]] of steps.entries()) {
      const [yaml, cbor] = await both(maps(`fieldManager=${manager}${query}`), body);
      expect([yaml.status, cbor.status]).toEqual([statuses[index], statuses[index]]);
      if (yaml.status < 300) expect(comparable(cbor)).toEqual(comparable(yaml));
      else
        expect(withoutNamespace(cbor, namespaces[CBOR]!)).toEqual(withoutNamespace(yaml, namespaces[YAML]!));
    }
  });
  const withoutNamespace = ({ object }: Answer, name: string): unknown =>
    JSON.parse(JSON.stringify(object).replaceAll(name, 'NS').replaceAll('CBOR', 'YAML'));

  it('merges lists, numbers and quantities as in YAML, and negotiates the response', async () => {
    for (const [manager, spec, query] of [
      ['one', whole, ''],
      [
        'two',
        {
          template: {
            spec: { containers: [{ name: 'c', ports: [{ containerPort: 81, protocol: 'UDP' }] }] },
          },
        },
        '',
      ],
      [
        'two',
        { replicas: 4, template: { spec: { containers: [{ name: 'c', image: 'j' }] } } },
        '&force=true',
      ],
      [
        'one',
        {
          ...whole,
          replicas: undefined,
          template: { ...whole.template, spec: { containers: [{ ...container, ports: [], image: 'j' }] } },
        },
        '',
      ],
    ] as [string, object, string][]) {
      // CBOR undefined is treated as absent.
      const [yaml, cbor] = await both(
        `${deployments}?fieldManager=${manager}${query}`,
        JSON.parse(JSON.stringify(deployment(spec))),
      );
      expect(cbor.status).toBeLessThan(300);
      expect(comparable(cbor)).toEqual(comparable(yaml));
    }
    const answer = await cluster.fetch(`${deployments.replace('NS', namespaces[CBOR]!)}?fieldManager=one`, {
      method: 'PATCH',
      body: writeCbor(deployment({ replicas: 4 })),
      headers: { 'content-type': CBOR, accept: 'application/cbor' },
    });
    expect([
      answer.headers.get('content-type'),
      [...new Uint8Array(await answer.arrayBuffer()).subarray(0, 3)],
    ]).toEqual(['application/cbor', [0xd9, 0xd9, 0xf7]]);
  });

  it('applies to subresources', async () => {
    await both(`${deployments}?fieldManager=one`, deployment({ ...whole, replicas: undefined }));
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'd' },
      spec: { replicas: 5 },
    };
    const [yaml, cbor] = await both(`${deployments}/scale?fieldManager=scaler&force=true`, scale);
    expect([cbor.status, cbor.object.spec, yaml.object.spec]).toEqual([
      200,
      { replicas: 5 },
      { replicas: 5 },
    ]);
    const status = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      status: { conditions: [{ type: 'A', status: 'True' }] },
    };
    const [shown, same] = await both(`${deployments}/status?fieldManager=reporter`, status);
    expect(comparable(same)).toEqual(comparable(shown));
    expect(
      same.object.metadata.managedFields.map(({ manager, subresource }: Record<string, string>) => [
        manager,
        subresource,
      ]),
    ).toContainEqual(['reporter', 'status']);
  });

  it.each([
    ['nothing', new Uint8Array(), 400, 'error decoding CBOR: EOF'],
    [
      'a list',
      Uint8Array.from([0x80]),
      400,
      'cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    ['truncated CBOR', writeCbor(configMap({ k: '1' })).subarray(0, 20), 400, 'unexpected EOF'],
    [
      'a duplicate key',
      Uint8Array.from([0xa2, 0x61, 0x61, 0xf6, 0x61, 0x61, 0xf6]),
      400,
      'found duplicate map key "a"',
    ],
    ['YAML', 'apiVersion: v1\nkind: ConfigMap\n', 400, 'error decoding CBOR: '],
    ['lists in lists without end', new Uint8Array(100_000).fill(0x81), 400, 'exceeded max nested level'],
  ])('rejects %s', async (_, body, status, text) => {
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const refused = await send(CBOR, maps(`fieldManager=m&fieldValidation=${level}`), body);
      expect({ status: refused.status, message: refused.object.message }).toEqual({
        status,
        message: expect.stringContaining(text),
      });
    }
  });

  it('treats keys such as __proto__ as data', async () => {
    const body = configMap(
      { constructor: '1', toString: '2' },
      { metadata: { name: 'a', annotations: { hasOwnProperty: '3' } } },
    );
    const [yaml, cbor] = await both(maps('fieldManager=m'), body);
    expect([cbor.status, cbor.object.data]).toEqual([201, { constructor: '1', toString: '2' }]);
    expect(comparable(cbor)).toEqual(comparable(yaml));
  });
});
