import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

type Request = readonly [method: string, path: string, body?: object];

const name = fc.constantFrom('a', 'b', 'c');
const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const path = fc.constantFrom(MAPS, SECRETS, ROLES, '/api/v1/namespaces/default/services');
const bodyOf = (one: string, collection: string, value: string): object =>
  collection.endsWith('services')
    ? { metadata: { name: one }, spec: { clusterIP: 'None', ports: [{ port: 1 }] } }
    : { metadata: { name: one, labels: { value } } };
const request: fc.Arbitrary<Request> = fc.oneof(
  fc.tuple(path, name, name).map(([at, one, value]) => ['POST', at, bodyOf(one, at, value)] as const),
  fc
    .tuple(path, name, name)
    .map(([at, one, value]) => ['PATCH', `${at}/${one}`, { metadata: { labels: { value } } }] as const),
  fc.tuple(path, name).map(([at, one]) => ['DELETE', `${at}/${one}`] as const),
  fc.tuple(path, name).map(([at, one]) => ['GET', `${at}/${one}`] as const),
  path.map((at) => ['GET', at] as const),
  fc.constantFrom<Request>(
    ['GET', '/version'],
    ['GET', '/apis'],
    ['GET', '/openapi/v3'],
    ['DELETE', MAPS],
    ['GET', '/api/v1/namespaces'],
  ),
);

/** What differs between clusters whoever looks: identities, versions, times, and ports of servers. */
const comparable = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/"(resourceVersion|time|creationTimestamp)":"[^"]*"/g, '"$1":""')
    .replaceAll(/"targetPort":\d{5}/g, '"targetPort":0')
    .replaceAll(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g, 'PEM');

async function answer(cluster: TestCluster, [method, target, body]: Request): Promise<string> {
  const headers: Record<string, string> =
    method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const response = await cluster.fetch(target, { method, headers, ...(body && { body }) });
  return `${response.status} ${comparable(await response.text())}`;
}

describe('two clusters of a server', () => {
  const options = { controllers: ['-*'] };
  let server: TestCluster;
  let others: readonly TestCluster[];
  beforeAll(async () => {
    server = await startCluster(options);
    others = [await startCluster(options), await startCluster(options)];
  });
  afterAll(() => Promise.all([server, ...others].map((one) => one.stop())));

  it('answer as two servers do, whatever is asked of them in turn', async () => {
    const step = fc.tuple(fc.constantFrom(0, 1), request);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const together = [await server.fork(), await server.fork()];
        const apart = await Promise.all(others.map((other) => other.fork()));
        try {
          for (const [index, one] of steps)
            expect(await answer(together[index]!, one)).toBe(await answer(apart[index]!, one));
        } finally {
          await Promise.all([...together, ...apart].map((cluster) => cluster.stop()));
        }
      }),
      { numRuns: 30 },
    );
  });
});
