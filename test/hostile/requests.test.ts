import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const EVENTS = '/api/v1/namespaces/default/events';
const token = (text: string) => `continue=${Buffer.from(text).toString('base64url')}`;

const QUERIES: readonly string[] = [
  'labelSelector=__proto__%3Dx',
  'labelSelector=!__proto__',
  'labelSelector=constructor%20in%20(a,b)',
  'labelSelector=((((',
  'labelSelector=%00',
  'labelSelector=%ff%fe',
  `labelSelector=${'a%3Db,'.repeat(5000)}a%3Db`,
  'fieldSelector=__proto__%3Dx',
  'fieldSelector=toString%3Dx',
  'limit=-1',
  'limit=99999999999',
  'limit=99999999999999999999999',
  'limit=NaN',
  'timeout=-1s',
  'timeout=99999999999999h',
  'timeoutSeconds=-1',
  'resourceVersion=-1',
  'resourceVersion=99999999999999999999',
  'resourceVersion=18446744073709551615&resourceVersionMatch=Exact',
  'resourceVersionMatch=__proto__',
  'continue=%00',
  'continue=W10',
  token('{"v":"meta.k8s.io/v1","rv":1,"start":"/../../x"}'),
  token('{"v":"meta.k8s.io/v1","rv":9007199254740991,"start":"/zzz"}'),
  token('{"v":"meta.k8s.io/v1","rv":-7,"start":"/zzz"}'),
  token('{"__proto__":{"v":"meta.k8s.io/v1","rv":1,"start":"/zzz"}}'),
  token('['.repeat(20_000)),
  Array.from({ length: 5000 }, (_, index) => `p${index}=1`).join('&'),
  '__proto__=1&constructor=2',
  'a=%&b=%u0041&=&;;',
];

const PATHS: readonly string[] = [
  '/%zz',
  '/api/v1/%ff',
  '/api/v1/__proto__',
  '/apis/constructor/v1/x',
  '/apis/apps/__proto__/deployments',
  '/api/v1/namespaces/__proto__/configmaps/constructor',
  '/api/v1/namespaces/%00/configmaps',
  `/api/v1/namespaces/default/configmaps/${'x'.repeat(20_000)}`,
  '/api/v1/namespaces/default/configmaps/..%2f..%2fsecrets',
  '/api/v1/namespaces/default/pods/x/__proto__',
  '/'.repeat(10_000),
  '/openapi/v3/apis/constructor/v1',
  '/readyz/constructor',
];

describe('hostile requests', () => {
  let cluster: TestCluster;
  const send = (path: string, method = 'GET', body?: unknown) =>
    cluster.fetch(path, { method, ...(body === undefined ? {} : { body }) });
  beforeAll(async () => {
    cluster = await startCluster({ eventTtl: 2000 });
  });
  afterAll(() => cluster.stop());

  it.each(QUERIES.map((query) => [query.slice(0, 60), query]))(
    'query %s: at most a client error',
    async (_label, query) => {
      for (const [method, path] of [
        ['GET', CONFIG_MAPS],
        ['DELETE', '/api/v1/namespaces/nowhere/configmaps'],
      ] as const) {
        const response = await send(`${path}?${query}`, method);
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
      }
    },
  );

  it.each(PATHS.map((path) => [path.slice(0, 60), path]))(
    'path %s: at most a client error',
    async (_label, path) => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await send(path, method, method.startsWith('P') ? {} : undefined);
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
      }
    },
  );

  it('a thousand concurrent creations get distinct names', async () => {
    const responses = await Promise.all(
      Array.from({ length: 1000 }, () => send(CONFIG_MAPS, 'POST', { metadata: { generateName: 'many-' } })),
    );
    const names = await Promise.all(
      responses.map(
        async (response) => ((await response.json()) as { metadata: { name: string } }).metadata.name,
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(names).size).toBe(1000);
  });

  it('two hundred writers without a resource version all succeed, each with a distinct version', async () => {
    await send(CONFIG_MAPS, 'POST', { metadata: { name: 'contended' } });
    const path = `${CONFIG_MAPS}/contended`;
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        send(path, 'PUT', { metadata: { name: 'contended' }, data: { writer: String(index) } }),
      ),
    );
    const versions = await Promise.all(
      responses.map(
        async (response) =>
          ((await response.json()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion,
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(versions).size).toBe(200);
  });

  it('events expire, and watches see their deletion', async () => {
    const controller = new AbortController();
    const { body } = await cluster.fetch(`${EVENTS}?watch=1`, { signal: controller.signal });
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'x' };
    expect(
      (
        await send(EVENTS, 'POST', {
          metadata: { name: 'short-lived' },
          involvedObject,
          reason: 'Test',
          type: 'Normal',
        })
      ).status,
    ).toBe(201);
    let text = '';
    for await (const chunk of body!) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"DELETED"')) break;
    }
    controller.abort();
    const types = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['ADDED', 'DELETED']);
    expect((await send(`${EVENTS}/short-lived`)).status).toBe(404);
  });
});
