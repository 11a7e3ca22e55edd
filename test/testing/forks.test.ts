import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { clusterFixture, clusterForTests, startCluster, type TestCluster } from '../../src/testing/index.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly creationTimestamp: string };
  }[];
}

const list = async (cluster: TestCluster): Promise<List> =>
  (await (await cluster.fetch(`${MAPS}?labelSelector=test`)).json()) as List;
const names = async (cluster: TestCluster): Promise<string[]> =>
  (await list(cluster)).items.map(({ metadata }) => metadata.name);
const create = async (cluster: TestCluster, name: string): Promise<void> => {
  const body = { metadata: { name, labels: { test: '' } } };
  expect((await cluster.fetch(MAPS, { method: 'POST', body })).status).toBe(201);
};

describe('forks of a test cluster', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
    await create(cluster, 'a');
  });
  afterAll(() => cluster.stop());

  it('begin with its state and go on for themselves', async () => {
    await using fork = await startCluster({ template: cluster });
    await create(fork, 'b');
    expect([await names(cluster), await names(fork)]).toEqual([['a'], ['a', 'b']]);
    expect(fork.url.startsWith(`${cluster.url}/clusters/`)).toBe(true);
    expect(fork.kubeconfig).toContain(`server: ${fork.url}\n`);
  });

  it('have the options of their template', async () => {
    await expect(startCluster({ template: cluster, featureGates: [] })).rejects.toThrow(
      'a cluster with a template has its options: featureGates cannot be given beside it',
    );
  });

  it('are reset to their first state', async () => {
    await using fork = await cluster.fork();
    await create(fork, 'b');
    const before = Number((await list(fork)).metadata.resourceVersion);
    await fork.reset();
    const after = await list(fork);
    expect(after.items.map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(before);
  });

  it('show a past state by its version and by its time', async () => {
    await using fork = await cluster.fork();
    fork.clock.freeze();
    await create(fork, 'first');
    await fork.quiescent();
    const { resourceVersion } = (await list(fork)).metadata;
    const time = fork.clock.now();
    await fork.clock.advance('1h');
    await create(fork, 'later');
    for (const point of [resourceVersion, Number(resourceVersion), time, time.toISOString()]) {
      await using past = await fork.at(point);
      expect(await names(past)).toEqual(['a', 'first']);
      expect((await list(past)).metadata.resourceVersion).toBe(resourceVersion);
      const refused = await past.fetch(`${MAPS}/a`, { method: 'DELETE' });
      expect([refused.status, await refused.text()]).toEqual([405, expect.stringContaining('past state')]);
    }
    await expect(fork.at(1)).rejects.toThrow('compacted');
    await expect(fork.at(1e9)).rejects.toThrow();
    await expect(fork.at('yesterday')).rejects.toThrow('a past state is named by');
  });

  it('have the time that is set', async () => {
    await using fork = await cluster.fork();
    fork.clock.freeze();
    await fork.clock.set('2040-01-02T03:04:05Z');
    await create(fork, 'dated');
    const [, { metadata }] = (await list(fork)).items as [unknown, List['items'][number]];
    expect(metadata.creationTimestamp).toBe('2040-01-02T03:04:05Z');
    await using second = await fork.fork();
    expect(second.clock.now().toISOString()).toBe('2040-01-02T03:04:05.000Z');
    expect(second.clock.isFrozen).toBe(true);
    await second.clock.set(new Date(0));
    expect(fork.clock.now().getUTCFullYear()).toBe(2040);
    await expect(fork.clock.advance('soon')).rejects.toThrow('"soon" is no duration'.replaceAll('"', ''));
    await expect(fork.clock.advance(-1)).rejects.toThrow('is no duration');
    await expect(fork.clock.set('soon')).rejects.toThrow('is no time');
  });

  it('end Events by their time', async () => {
    await using fork = await cluster.fork();
    const path = '/api/v1/namespaces/default/events';
    const body = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } };
    expect((await fork.fetch(path, { method: 'POST', body })).status).toBe(201);
    await fork.clock.advance('59m');
    expect((await fork.fetch(`${path}/e`)).status).toBe(200);
    await fork.clock.advance('2m');
    expect((await fork.fetch(`${path}/e`)).status).toBe(404);
  });

  it('end when their server does', async () => {
    const own = await startCluster();
    const fork = await own.fork();
    const watch = await fork.fetch(`${MAPS}?watch=1`);
    await own.stop();
    await watch.text();
    expect((await fork.fetch('/api')).status).toBeGreaterThanOrEqual(500);
    await fork.stop();
  });

  it('are made of objects in memory', async () => {
    await using own = await startCluster({ storageBackend: 'embedded' });
    await expect(own.fork()).rejects.toThrow('only a cluster whose objects are in memory');
    await expect(own.reset()).rejects.toThrow('only a cluster whose objects are in memory');
  });
});

describe('the first cluster of a server', () => {
  it('is reset to its state at the start', async () => {
    await using cluster = await startCluster();
    await create(cluster, 'a');
    const watch = await cluster.fetch(`${MAPS}?watch=1`);
    await cluster.reset();
    expect(await watch.text()).toContain('"code":410');
    expect(await names(cluster)).toEqual([]);
    await create(cluster, 'b');
    await cluster.quiescent();
    expect((await cluster.fetch('/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
  });
});

describe('fixtures', () => {
  let seeds = 0;
  const options = {
    async seed(cluster: TestCluster) {
      seeds += 1;
      await create(cluster, 'seeded');
    },
  };
  const withCluster = test.extend<{ cluster: TestCluster }>({ cluster: clusterFixture(options) });
  for (const name of ['b', 'c'])
    withCluster(`give each test of vitest its own fork: ${name}`, async ({ cluster }) => {
      await create(cluster, name);
      expect(await names(cluster)).toEqual([name, 'seeded']);
      expect(seeds).toBe(1);
    });

  it('end with the context of a test', async () => {
    const useCluster = clusterForTests(options);
    const ends: (() => Promise<void>)[] = [];
    const context = { after: (end: () => Promise<void>) => void ends.push(end) };
    const [one, other] = [await useCluster(context), await useCluster(context)];
    await create(one, 'd');
    expect(await names(other)).toEqual(['seeded']);
    for (const end of ends) await end();
    expect((await one.fetch('/api')).status).toBeGreaterThanOrEqual(500);
  });
});
