import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, BuiltServer } from './support/built-server.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPTH = 200_000;
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const CBOR_TYPE = 'application/cbor';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const repeated = (byte: number, count: number) => Buffer.alloc(count, byte);
const configMap = (member: string) =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hostile"},${member}}`;

/** A length-delimited protobuf field. */
function field(number: number, value: Uint8Array): Buffer {
  const length: number[] = [];
  let rest = value.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  length.push(rest);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), value]);
}

/** Wraps a protobuf body in its envelope. */
function envelope(apiVersion: string, kind: string, message: Uint8Array): Buffer {
  const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, message)]);
}

function nestedFields(number: number, depth: number): Buffer {
  let message: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) message = field(number, message);
  return message;
}

/** Aliases of aliases: 10^9 values in a few lines. */
const LAUGHS = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghij'[index]}`).join(',')}]`).join('\n')}\n`;

const BODIES: readonly (readonly [string, string, Uint8Array | string])[] = [
  ['nothing', JSON_TYPE, ''],
  ['half an object', JSON_TYPE, '{"metadata":'],
  ['deep JSON arrays', JSON_TYPE, repeated(0x5b, 2_800_000)],
  ['deep JSON objects', JSON_TYPE, '{"a":'.repeat(DEPTH)],
  ['deep, complete JSON', JSON_TYPE, configMap(`"x":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`)],
  ['deep YAML', YAML_TYPE, '['.repeat(DEPTH)],
  ['deep YAML blocks', YAML_TYPE, '- '.repeat(DEPTH)],
  ['YAML aliases without end', YAML_TYPE, LAUGHS],
  ['a YAML alias of itself', YAML_TYPE, 'a: &a [*a]\n'],
  ['deep CBOR arrays', CBOR_TYPE, repeated(0x81, DEPTH)],
  ['deep CBOR tags', CBOR_TYPE, repeated(0xc1, DEPTH)],
  ['a CBOR array of 2^32 elements', CBOR_TYPE, Buffer.from([0x9a, 0xff, 0xff, 0xff, 0xff, 0x00])],
  [
    'a CBOR string of 2^63 bytes',
    CBOR_TYPE,
    Buffer.from([0x5b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00]),
  ],
  ['protobuf without its mark', PROTOBUF_TYPE, field(1, Buffer.from('x'))],
  ['protobuf nested without end', PROTOBUF_TYPE, envelope('v1', 'ConfigMap', nestedFields(1, 5000))],
  ['protobuf groups without end', PROTOBUF_TYPE, envelope('v1', 'ConfigMap', repeated(0x7b, DEPTH))],
  ['protobuf with an endless number', PROTOBUF_TYPE, envelope('v1', 'ConfigMap', repeated(0xff, 1000))],
  [
    'protobuf longer than itself',
    PROTOBUF_TYPE,
    Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x7f])]),
  ],
  [
    'invalid UTF-8 in protobuf',
    PROTOBUF_TYPE,
    envelope('v1', 'ConfigMap', field(1, field(1, Buffer.from([0xc3, 0x28])))),
  ],
  ['a number beyond measure', JSON_TYPE, configMap(`"immutable":${'9'.repeat(1_000_000)}`)],
  ['an unpaired surrogate as a name', JSON_TYPE, '{"metadata":{"name":"\\ud800"}}'],
  ['prototype names as labels', JSON_TYPE, '{"metadata":{"name":"hostile","labels":{"__proto__":"x"}}}'],
  ['a prototype in place of metadata', JSON_TYPE, '{"__proto__":{"metadata":{"name":"hostile"}}}'],
  ['metadata that is a list', JSON_TYPE, '{"metadata":[]}'],
  ['a body of 3 MB and more', JSON_TYPE, configMap(`"data":{"a":"${'x'.repeat(3_200_000)}"}`)],
  ['an unknown media type', 'application/x-unknown', '{}'],
];

const PATCHES: readonly (readonly [string, string, string])[] = [
  [
    'deep merge patch',
    'application/merge-patch+json',
    `{"data":${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}`,
  ],
  [
    'deep strategic patch',
    'application/strategic-merge-patch+json',
    `{"data":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
  ],
  [
    'a patch of the prototype',
    'application/json-patch+json',
    '[{"op":"add","path":"/__proto__/polluted","value":"x"}]',
  ],
  [
    'a JSON patch with a deep path',
    'application/json-patch+json',
    `[{"op":"add","path":"${'/a'.repeat(DEPTH)}","value":1}]`,
  ],
  [
    'a JSON patch that copies itself',
    'application/json-patch+json',
    `[${Array(60).fill('{"op":"copy","from":"/data","path":"/data/a"}').join(',')}]`,
  ],
  [
    'more operations than allowed',
    'application/json-patch+json',
    `[${Array(10_001).fill('{"op":"test","path":"/a","value":1}').join(',')}]`,
  ],
  ['a JSON patch that is no list', 'application/json-patch+json', '{"op":"add"}'],
  ['an applied configuration without end', 'application/apply-patch+yaml', '['.repeat(DEPTH)],
];

const refused = ({ status, text }: Answer) => {
  expect(status, text.slice(0, 500)).toBeGreaterThanOrEqual(400);
  expect(status, text.slice(0, 500)).toBeLessThan(500);
};

describe('hostile bodies', () => {
  // With the CBOR gate on, CBOR bodies are decoded instead of rejected for their type.
  const server = new BuiltServer(['--feature-gates=CBORServingAndStorage=true']);
  beforeAll(async () => {
    await server.start();
    await server.json('POST', CONFIG_MAPS, { metadata: { name: 'patched' }, data: { a: 'b' } });
  });
  afterAll(async () => {
    await server.remove();
  });

  it.each(BODIES)('%s: is rejected as a create with the specific error', async (_name, type, body) => {
    refused(await server.request(CONFIG_MAPS, { method: 'POST', headers: { 'content-type': type }, body }));
  });

  it.each(BODIES)('%s: is rejected as an update', async (_name, type, body) => {
    refused(
      await server.request(`${CONFIG_MAPS}/patched`, {
        method: 'PUT',
        headers: { 'content-type': type },
        body,
      }),
    );
  });

  it.each(PATCHES)('%s: is rejected', async (_name, type, body) => {
    const path = `${CONFIG_MAPS}/patched?fieldManager=test&fieldValidation=Strict`;
    refused(await server.request(path, { method: 'PATCH', headers: { 'content-type': type }, body }));
  });

  it('rejects a truncated gzip body', async () => {
    const packed = gzipSync(configMap('"data":{}'));
    const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' };
    refused(
      await server.request(CONFIG_MAPS, {
        method: 'POST',
        headers,
        body: packed.subarray(0, packed.length - 12),
      }),
    );
  });

  it('never returns invalid UTF-8 from JSON', async () => {
    const body = Buffer.concat([
      Buffer.from('{"metadata":{"name":"broken-text"},"data":{"a":"'),
      Buffer.from([0xff, 0xc3, 0x28]),
      Buffer.from('"}}'),
    ]);
    const { status, text } = await server.request(CONFIG_MAPS, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      body,
    });
    expect([201, 400]).toContain(status);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it('treats prototype member names as data', async () => {
    const body =
      '{"metadata":{"name":"prototypes"},"data":{"__proto__":"a","constructor":"b","toString":"c"}}';
    const { status } = await server.request(CONFIG_MAPS, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      body,
    });
    expect(status).toBe(201);
    const { text } = await server.request(`${CONFIG_MAPS}/prototypes`);
    expect(text).toContain('"data":{"__proto__":"a","constructor":"b","toString":"c"}');
  });

  it('validates deletion options like other bodies', async () => {
    const body = '{"gracePeriodSeconds":'.repeat(DEPTH);
    refused(
      await server.request(`${CONFIG_MAPS}/patched`, {
        method: 'DELETE',
        headers: { 'content-type': JSON_TYPE },
        body,
      }),
    );
  });

  it('leaves the object and the server unchanged', async () => {
    const { data } = await server.json<{ data: Record<string, string> }>('GET', `${CONFIG_MAPS}/patched`);
    expect(data).toEqual({ a: 'b' });
    expect((await server.request('/readyz')).status).toBe(200);
    expect(server.output).not.toContain('request failed');
  });
});
