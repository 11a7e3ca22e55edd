import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { resourceSetSource } from '../../../src/handlers/endpoints/discovery-source.ts';
import { OpenApi } from '../../../src/handlers/endpoints/openapi.ts';
import { createDocumentBuilder } from '../../../src/handlers/endpoints/openapi-builder.ts';
import { builtinResourceSet } from '../../../src/registry/builtin-resources.ts';
import { callerOf } from '../../support/call-handler.ts';

const create = (buildId = '1') =>
  new OpenApi({
    sources: [resourceSetSource(builtinResourceSet())],
    builder: createDocumentBuilder({ deleteReturnsObject: () => false, cbor: false, issuer: true }),
    buildId,
  });
const call = callerOf(create().paths());
const PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';

const addressOf = async (name: string, sendRequest = call): Promise<string> => {
  const { paths } = (await sendRequest('/openapi/v3')).json() as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return paths[name]!.serverRelativeURL;
};

describe('OpenAPI', () => {
  it('has an index of documents with their hashes', async () => {
    const { headers, json } = await call('/openapi/v3');
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
    expect(headers['etag']).toBeUndefined();
    expect(Object.keys(json()['paths'] as object)).toContain('apis/apps/v1');
    expect(await addressOf('api/v1')).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
    expect(await addressOf('api/v1', callerOf(create('2').paths()))).not.toBe(await addressOf('api/v1'));
  });

  it('makes documents with a hash in the URL immutable', async () => {
    const address = await addressOf('apis/apps/v1');
    const { status, headers, json } = await call(address);
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      200,
      'public, immutable',
      'application/json',
    ]);
    expect(headers['vary']).toEqual('Accept');
    expect(json()['openapi']).toBe('3.0.0');
    const wrong = await call('/openapi/v3/apis/apps/v1?hash=ABC');
    expect([wrong.status, wrong.headers['location']]).toEqual([301, address]);
    const tag = String(headers['etag']);
    for (const match of [tag, `W/${tag}`, `"x", ${tag}`, '*'])
      expect((await call('/openapi/v3/apis/apps/v1', { 'if-none-match': match })).status).toBe(304);
    expect((await call('/openapi/v3/apis/apps/v1', { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('negotiates the encoding', async () => {
    const protobuf = await call('/openapi/v3/version', { accept: PROTOBUF.replace('v3.v1', 'v3@v1') });
    expect(protobuf.headers['content-type']).toBe(PROTOBUF);
    expect(protobuf.bytes.subarray(0, 7).toString('latin1')).toBe('\n\x053.0.0');
    for (const accept of ['text/html', 'application/yaml']) {
      const refused = await call('/openapi/v2', { accept });
      expect([refused.status, refused.bytes.length, refused.headers['content-type']]).toEqual([
        406,
        0,
        undefined,
      ]);
    }
    const compressed = await call('/openapi/v2', { 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect((JSON.parse(gunzipSync(compressed.bytes).toString('utf8')) as { swagger: string }).swagger).toBe(
      '2.0',
    );
  });

  it('returns 404 for unknown documents', async () => {
    for (const name of ['apis/apps/v9', 'apis/nonsense.test', '__proto__'])
      expect((await call(`/openapi/v3/${name}`)).status).toBe(404);
  });
});
