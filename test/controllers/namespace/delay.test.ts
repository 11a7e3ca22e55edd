import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../../src/testing/index.ts';
import { Api } from '../api.ts';

const TIMEOUT = 60_000;
const NAMESPACES = '/api/v1/namespaces';

describe('the delay of namespace deletion', () => {
  let cluster: TestCluster;
  let api: Api;
  beforeAll(async () => {
    cluster = await startCluster({ controllers: ['namespace-controller'], namespaceDeletionDelay: 1500 });
    api = new Api(cluster);
  }, TIMEOUT);
  afterAll(() => cluster.stop());
  const make = (name: string) => api.call('POST', NAMESPACES, { metadata: { name } });
  const remove = (name: string) => api.call('DELETE', `${NAMESPACES}/${name}`);

  it(
    'lets a client finalize the namespace',
    async () => {
      await make('quick');
      const { metadata } = await remove('quick');
      await api.call('PUT', `${NAMESPACES}/quick/finalize`, { metadata, spec: { finalizers: [] } });
      expect(await api.status(`${NAMESPACES}/quick`)).toBe(404);
    },
    TIMEOUT,
  );

  it(
    'ends with the content of the namespace',
    async () => {
      await make('slow');
      await api.call('POST', `${NAMESPACES}/slow/configmaps`, { metadata: { name: 'a' } });
      await remove('slow');
      const start = performance.now();
      await api.gone(NAMESPACES, 'slow');
      expect(performance.now() - start).toBeGreaterThan(1000);
    },
    TIMEOUT,
  );
});
