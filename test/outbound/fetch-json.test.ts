import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchJson } from '../../src/outbound/fetch-json.ts';
import { createAuthority, issueCertificate } from '../../src/pki/issue-certificate.ts';

describe('fetchJson', () => {
  const validity = { validFrom: new Date(Date.now() - 60_000), validTo: new Date(Date.now() + 3_600_000) };
  const authority = createAuthority({ commonName: 'documents' }, validity.validFrom, validity.validTo);
  const serving = issueCertificate(authority, {
    subject: { commonName: 'x' },
    usage: 'server',
    addresses: ['127.0.0.1'],
    ...validity,
  });
  const seen: IncomingMessage[] = [];
  const pages: Record<string, (response: ServerResponse) => void> = {
    '/good': (response) => response.end('{"a":1}'),
    '/list': (response) => response.end('[]'),
    '/text': (response) => response.end('secret'),
    '/absent': (response) => response.writeHead(404).end('{}'),
    '/large': (response) => response.end(`{"a":"${'x'.repeat(2000)}"}`),
    '/moved': (response) => response.writeHead(302, { location: '/good' }).end(),
    '/circle': (response) => response.writeHead(302, { location: '/circle' }).end(),
    '/plain': (response) =>
      response
        .writeHead(302, { location: `http://127.0.0.1:${(plain.address() as AddressInfo).port}/good` })
        .end(),
    '/never': () => undefined,
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request);
    pages[request.url!]!(response);
  };
  const server: Server = createServer({ cert: serving.certificate, key: serving.key }, handle);
  const plain = createPlainServer(handle);
  beforeAll(async () => {
    for (const one of [server, plain])
      await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const one of [server, plain]) {
      one.closeAllConnections();
      await new Promise((resolve) => one.close(resolve));
    }
  });
  const read = (path: string, changes: object = {}) =>
    fetchJson(`https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      timeout: 20_000,
      maximumBytes: 1000,
      caBundle: authority.certificate,
      ...changes,
    });

  it('follows redirects and sends headers to the first server only', async () => {
    expect(await read('/good')).toEqual({ a: 1 });
    seen.length = 0;
    expect(await read('/moved', { headers: { authorization: 'Bearer x' } })).toEqual({ a: 1 });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer x', undefined]);
  });

  it.each([
    ['/list', {}, 'not a JSON object'],
    ['/text', {}, /^(?!.*secret).*not a JSON object/],
    ['/absent', {}, 'unexpected status 404'],
    ['/large', {}, 'longer than 1000 bytes'],
    ['/circle', {}, 'more than 5 redirects'],
    ['/plain', {}, 'the URL scheme must be https'],
    ['/never', { timeout: 50 }, 'context deadline exceeded'],
    ['/good', { caBundle: undefined }, 'x509: certificate signed by unknown authority'],
  ])('rejects %s', async (path, changes, text) => {
    await expect(read(path, changes)).rejects.toThrow(text);
  });
});
