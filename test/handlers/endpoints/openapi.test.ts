import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { resourceSetSource } from '../../../src/handlers/endpoints/discovery-source.ts';
import { OpenApi } from '../../../src/handlers/endpoints/openapi.ts';
import { createDocumentBuilder } from '../../../src/handlers/endpoints/openapi-builder.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { builtinResourceSet } from '../../support/builtin-kinds.ts';
import { callerOf } from '../../support/call-handler.ts';

const create = (buildId = '1') =>
  new OpenApi({
    sources: [resourceSetSource(builtinResourceSet())],
    builder: createDocumentBuilder(schemeOf(), {
      deleteReturnsObject: () => false,
      cbor: false,
      issuer: true,
    }),
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
    expect(wrong.headers).toMatchObject({ vary: 'Accept', 'content-type': 'application/json' });
    const tag = String(headers['etag']);
    for (const match of [tag, `W/${tag}`, `"x", ${tag}`, '*'])
      expect((await call('/openapi/v3/apis/apps/v1', { 'if-none-match': match })).status).toBe(304);
    expect((await call('/openapi/v3/apis/apps/v1', { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('evaluates the conditions of requests', async () => {
    const { headers } = await call('/openapi/v3/version');
    const [tag, modified] = [String(headers['etag']), String(headers['last-modified'])];
    expect(new Date(modified).toUTCString()).toBe(modified);
    const [old, coming] = ['Mon, 23 Nov 1999 00:00:00 GMT', 'Mon, 23 Nov 2099 00:00:00 GMT'];
    const cases: [given: Record<string, string>, status: number][] = [
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-modified-since': old }, 200],
      [{ 'if-modified-since': 'soon' }, 200],
      [{ 'if-modified-since': coming, 'if-none-match': '"x"' }, 200],
      [{ 'if-unmodified-since': old }, 412],
      [{ 'if-unmodified-since': coming }, 200],
      [{ 'if-unmodified-since': old, 'if-match': tag }, 200],
      [{ 'if-match': `W/${tag}` }, 412],
      [{ 'if-match': '"x"' }, 412],
      [{ 'if-match': '*' }, 200],
      [{ 'if-none-match': `"a" , ,${tag}` }, 304],
      // A list ends at its first malformed tag.
      [{ 'if-none-match': `a, ${tag}` }, 200],
      [{ 'if-none-match': '' }, 200],
    ];
    for (const [given, status] of cases)
      expect([given, (await call('/openapi/v3/version', given)).status]).toEqual([given, status]);
    expect((await call('/openapi/v3', { 'if-modified-since': coming })).status).toBe(304);
    expect((await call('/openapi/v3', { 'if-match': tag })).status).toBe(412);
  });

  it('negotiates the encoding', async () => {
    expect((await call('/openapi/v3/version', { accept: 'a' })).bytes).toHaveLength(0);
    for (const [accept, type] of [
      ['a, */json', 'application/json'],
      [`*, ${PROTOBUF};q=0.1`, PROTOBUF],
    ])
      expect((await call('/openapi/v3/version', { accept: accept! })).headers['content-type']).toBe(type);
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
    const compressed = await call('/openapi/v2', { 'accept-encoding': 'br, GZIP;q=0.5' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    for (const coding of ['*', 'gzip;q=0', 'gzip, gzip;q=0'])
      expect((await call('/openapi/v2', { 'accept-encoding': coding })).headers['content-encoding']).toBe(
        undefined,
      );
    expect((JSON.parse(gunzipSync(compressed.bytes).toString('utf8')) as { swagger: string }).swagger).toBe(
      '2.0',
    );
  });

  it('returns 404 for unknown documents', async () => {
    for (const name of ['apis/apps/v9', 'apis/nonsense.test', '__proto__'])
      expect((await call(`/openapi/v3/${name}`)).status).toBe(404);
  });
});
