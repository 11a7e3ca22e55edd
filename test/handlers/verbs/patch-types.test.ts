import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['-*'] });
});
afterAll(() => cluster.stop());

const NAMESPACE = '/api/v1/namespaces/default';

test.each<[string, Record<string, string>, string | undefined, number, string]>([
  ['no body', {}, undefined, 415, '415: Unsupported Media Type\n\nAvailable representations: '],
  [
    'an empty body',
    { 'content-length': '0' },
    undefined,
    406,
    '406: Not Acceptable\n\nAvailable representations: ',
  ],
  ['a body', {}, '{}', 415, '415: Unsupported Media Type'],
])('a patch of an unknown type with %s', async (_what, headers, body, status, message) => {
  const answer = await cluster.fetch(NAMESPACE, {
    method: 'PATCH',
    headers: { 'content-type': 'text/other', ...headers },
    body,
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ code: status, message });
});

test.each(['GET', 'DELETE', 'PATCH', 'PUT'])('%s of an object in an empty namespace', async (method) => {
  const answer = await cluster.fetch('/api/v1/namespaces//pods/a', { method });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    reason: 'BadRequest',
    message: 'Namespace parameter required.',
  });
  expect((await cluster.fetch('/api/v1/pods/a', { method })).status).toBe(404);
});
