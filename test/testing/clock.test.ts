import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

interface List<Item> {
  readonly items: readonly Item[];
}
interface Job {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: object };
  readonly status: { readonly succeeded?: number; readonly startTime?: string };
}

describe('the clock of a cluster with simulated nodes', () => {
  let template: TestCluster;
  beforeAll(async () => {
    template = await startCluster({ simulateNodes: 1 });
    await template.quiescent();
  });
  afterAll(() => template.stop());

  const get = async <Value>(cluster: TestCluster, path: string): Promise<Value> =>
    (await (await cluster.fetch(path)).json()) as Value;

  it('passes the day of a CronJob, each of its Jobs at its time', async () => {
    await using cluster = await template.fork();
    cluster.clock.freeze();
    await cluster.clock.set('2040-01-01T00:30:00Z');
    const container = { name: 'a', image: 'a', command: ['sleep', '60'] };
    const created = await cluster.fetch('/apis/batch/v1/namespaces/default/cronjobs', {
      method: 'POST',
      body: {
        metadata: { name: 'hourly' },
        spec: {
          schedule: '0 * * * *',
          successfulJobsHistoryLimit: 100,
          jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
        },
      },
    });
    expect(created.status).toBe(201);
    await cluster.clock.advance('24h');
    expect(cluster.clock.now().toISOString()).toBe('2040-01-02T00:30:00.000Z');
    const { items } = await get<List<Job>>(cluster, '/apis/batch/v1/namespaces/default/jobs');
    expect(items.map(({ status }) => status.succeeded)).toEqual(Array(24).fill(1));
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2040, 0, 1, hour + 1)));
    const started = items.map(({ status }) => status.startTime ?? '').sort();
    expect(started).toEqual(hours.map((hour) => hour.toISOString().replace('.000', '')));
    const nodes = await get<List<{ status: { conditions: { type: string; status: string }[] } }>>(
      cluster,
      '/api/v1/nodes',
    );
    expect(nodes.items[0]!.status.conditions.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });
});
