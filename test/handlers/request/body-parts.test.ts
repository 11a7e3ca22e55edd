import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCbor } from '../../../src/codec/cbor.ts';
import { encodeEnvelope } from '../../../src/codec/envelope.ts';
import { scanJson } from '../../../src/codec/json-scan.ts';
import { countingParts, MAXIMUM_PARTS } from '../../../src/codec/parts.ts';
import { encodeMessage } from '../../../src/codec/protobuf.ts';
import { parsePlain } from '../../../src/handlers/request/parse-body.ts';
import { runNow } from '../../../src/steps/run.ts';
import { createMemoryStorage } from '../../../src/storage/memory/memory-storage.ts';
import { loopTurns } from '../../support/loop-turns.ts';
import { type SmallServer, smallServer } from '../../support/small-server.ts';
import { kindType } from '../../support/types.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const APPLY = '?fieldManager=test&force=true';

const keys = (count: number, prefix = 'k'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, '']));
const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const protobuf = (object: object): Buffer =>
  encodeEnvelope('v1', 'ConfigMap', encodeMessage(kindType('', 'v1', 'ConfigMap')!, object));
const yaml = (object: object): string => {
  const lines = Object.entries(object).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return lines.join('');
};
/** A document that expands to 120,000 parts, below the limit on aliases. */
const ALIASES = [
  `a: &a {${Object.keys(keys(1000))
    .map((key) => `${key}: 1`)
    .join(', ')}}`,
  `b: [${Array(60).fill('*a').join(',')}]`,
  '',
].join('\n');
/** Each member counts as two parts. */
const TOO_MANY = MAXIMUM_PARTS / 2 + 1;
const message = expect.stringContaining('has more than 100000 members and items');

describe('limit on the parts of a request body', () => {
  let server: SmallServer;
  beforeAll(async () => {
    server = smallServer({ storage: createMemoryStorage() });
    await server.send('POST', CONFIG_MAPS, configMap('stored', keys((3 * (TOO_MANY / 5)) | 0)));
  });
  afterAll(() => server.close());

  it('counts a tree like the scan of its JSON', () => {
    expect(runNow(countingParts({ a: [1, 2, { b: {} }], c: null }, 100))).toBe(6);
    expect(runNow(countingParts(keys(1000), 100))).toBeGreaterThan(100);
    expect(runNow(countingParts([1, true, null, 2, 3], 100))).toBe(1);
    expect(runNow(countingParts([1, 'a', 2, {}, 3, []], 100))).toBe(5);
  });

  it('counts the same in text as in values, and less for numbers that follow one another', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constantFrom(null, 'a', 'null', '1,2'),
        fc.array(tie('tree')),
        fc.dictionary(fc.string(), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(fc.array(tree), fc.constantFrom(0, 2), (value, indent) => {
        const { parts } = scanJson(Buffer.from(JSON.stringify(value, null, indent)));
        expect(parts).toBe(runNow(countingParts(value, Number.POSITIVE_INFINITY)));
      }),
    );
  });

  it.each(['json', 'yaml', 'cbor'] as const)('accepts a list of 350,000 numbers: %s', async (encoding) => {
    const object = {
      ...configMap('new', {}),
      unknown: Array.from({ length: 350_000 }, (_, index) => index % 10),
    };
    const body = {
      json: () => JSON.stringify(object),
      yaml: () => yaml(object),
      cbor: () => writeCbor(object),
    }[encoding]();
    const parsed = await parsePlain({ workingSetBytes: 0, turns: loopTurns() }, encoding, Buffer.from(body));
    expect(parsed.value).toEqual(object);
  });

  it.each<[string, string, string, unknown, string]>([
    ['create, JSON', 'POST', CONFIG_MAPS, JSON.stringify(configMap('new', keys(TOO_MANY))), JSON_TYPE],
    [
      'create, YAML that is JSON',
      'POST',
      CONFIG_MAPS,
      JSON.stringify(configMap('new', keys(TOO_MANY))),
      YAML_TYPE,
    ],
    ['create, YAML with aliases', 'POST', CONFIG_MAPS, ALIASES, YAML_TYPE],
    ['create, protobuf', 'POST', CONFIG_MAPS, protobuf(configMap('new', keys(TOO_MANY))), PROTOBUF_TYPE],
    [
      'update',
      'PUT',
      `${CONFIG_MAPS}/stored`,
      JSON.stringify(configMap('stored', keys(TOO_MANY))),
      JSON_TYPE,
    ],
    [
      'merge patch',
      'PATCH',
      `${CONFIG_MAPS}/stored`,
      JSON.stringify({ data: keys(TOO_MANY) }),
      'application/merge-patch+json',
    ],
    [
      'apply',
      'PATCH',
      `${CONFIG_MAPS}/stored${APPLY}`,
      JSON.stringify(configMap('stored', keys(TOO_MANY))),
      'application/apply-patch+yaml',
    ],
    [
      'review',
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      JSON.stringify({ metadata: { labels: keys(TOO_MANY) }, spec: {} }),
      JSON_TYPE,
    ],
    [
      'deletion',
      'DELETE',
      `${CONFIG_MAPS}/stored`,
      JSON.stringify({ dryRun: Array(2 * TOO_MANY).fill('All') }),
      JSON_TYPE,
    ],
  ])('rejects too many in the body of: %s', async (_what, method, target, body, type) => {
    const { status, object } = await server.send(method, target, body, type);
    expect(object).toMatchObject({ kind: 'Status', code: 413, reason: 'RequestEntityTooLarge', message });
    expect(status).toBe(413);
  });

  it.each<[string, unknown, string, string]>([
    ['merge patch', { data: keys(TOO_MANY / 2, 'x') }, 'application/merge-patch+json', ''],
    [
      'JSON patch',
      [1, 2, 3].map((copy) => ({ op: 'copy', from: '/data', path: `/data/copy${copy}` })),
      'application/json-patch+json',
      '',
    ],
    ['apply', configMap('stored', keys(TOO_MANY / 2, 'x')), 'application/apply-patch+yaml', APPLY],
  ])('rejects too many in the result of: %s', async (_what, patch, type, query) => {
    const { object } = await server.send(
      'PATCH',
      `${CONFIG_MAPS}/stored${query}`,
      JSON.stringify(patch),
      type,
    );
    expect(object).toMatchObject({ kind: 'Status', code: 413, reason: 'RequestEntityTooLarge', message });
  });

  it('rejects too many in YAML that is not JSON, and in CBOR', async () => {
    const object = configMap('new', keys(TOO_MANY));
    for (const [encoding, body] of [
      ['yaml', Buffer.from(yaml(object))],
      ['cbor', Buffer.from(writeCbor(object))],
    ] as const)
      await expect(
        parsePlain({ workingSetBytes: 0, turns: loopTurns() }, encoding, body),
      ).rejects.toMatchObject({
        code: 413,
        message,
      });
  });

  it('returns 422 when each of very many parts has several errors', async () => {
    const pod = { metadata: { name: 'wrong' }, spec: { containers: Array(40_000).fill({}) } };
    const { object } = await server.send(
      'POST',
      '/api/v1/namespaces/default/pods',
      JSON.stringify(pod),
      JSON_TYPE,
    );
    expect(object).toMatchObject({ kind: 'Status', code: 422, reason: 'Invalid' });
    expect(object.details.causes).toHaveLength(1000);
  });

  it.each<[string, string]>([
    ['JSON', JSON_TYPE],
    ['YAML', YAML_TYPE],
    ['protobuf', PROTOBUF_TYPE],
  ])('accepts what it sent, with its managed fields: %s', async (_what, type) => {
    const object = configMap('largest', keys(TOO_MANY - 10));
    expect((await server.send('POST', CONFIG_MAPS, JSON.stringify(object), JSON_TYPE)).status).toBe(201);
    const target = `${CONFIG_MAPS}/largest`;
    const read = await server.send('GET', target, undefined, undefined, type);
    const answer = await server.send('PUT', target, read.bytes, type);
    expect(answer.object).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'largest' } });
    expect(answer.object.metadata.managedFields).toHaveLength(1);
    const patched = await server.send(
      'PATCH',
      target,
      JSON.stringify({ data: { k0: 'changed' } }),
      'application/merge-patch+json',
    );
    expect(patched.status).toBe(200);
    await server.send('DELETE', target);
  });

  it('counts managed fields outside of the metadata, and bounds those in it', async () => {
    const many = keys(TOO_MANY);
    for (const object of [
      { ...configMap('new', {}), managedFields: [{ fieldsV1: many }] },
      {
        ...configMap('new', {}),
        metadata: { name: 'new', managedFields: Array(4).fill({ fieldsV1: many }) },
      },
    ])
      expect((await server.send('POST', CONFIG_MAPS, JSON.stringify(object), JSON_TYPE)).status).toBe(413);
  });

  it('accepts the maximum number', async () => {
    const data = keys(TOO_MANY - 10);
    for (const [body, type] of [
      [JSON.stringify(configMap('most', data)), JSON_TYPE],
      [protobuf(configMap('most', data)), PROTOBUF_TYPE],
    ] as const) {
      const answer = await server.send('POST', `${CONFIG_MAPS}?dryRun=All`, body, type);
      expect(answer.status).toBe(201);
    }
  });
});
