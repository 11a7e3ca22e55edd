import { describe, expect, it } from 'vitest';
import { corsFilter } from '../../src/filters/cors.ts';
import { transportSecurityFilter } from '../../src/filters/transport-security.ts';
import type { Filter } from '../../src/request/context.ts';
import { request } from './context.ts';

async function answerOf(filter: Filter, method: string, headers: Record<string, string> = {}) {
  const { context, response } = request(method, '/api/v1/namespaces', { headers });
  await filter(context, ({ exchange }) => exchange.respond(200, 'text/plain', 'ok'));
  return response;
}

describe('cross-origin requests', () => {
  const filter = corsFilter(['^https://console\\.example$']);

  it('allow scripts of a permitted origin to read the response', async () => {
    const { status, headers } = await answerOf(filter, 'GET', { origin: 'https://console.example' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://console.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Date',
    });
  });

  it('respond to a preflight request', async () => {
    const { status, headers } = await answerOf(filter, 'OPTIONS', { origin: 'https://console.example' });
    expect(status).toBe(204);
    expect(headers['access-control-allow-methods']).toBe('POST, GET, OPTIONS, PUT, DELETE, PATCH');
  });

  it.each([undefined, 'https://console.example.evil', 'http://console.example'])(
    'add no headers for the origin %s',
    async (origin) => {
      const { status, headers } = await answerOf(filter, 'OPTIONS', origin === undefined ? {} : { origin });
      expect(status).toBe(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  it('are matched in linear time', async () => {
    const nested = corsFilter(['^(a+)+$']);
    expect((await answerOf(nested, 'GET', { origin: `${'a'.repeat(50_000)}!` })).status).toBe(200);
  });
});

it('set Strict-Transport-Security on every response', async () => {
  const { headers } = await answerOf(
    transportSecurityFilter(['max-age=31536000', 'includeSubDomains']),
    'GET',
  );
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
});
