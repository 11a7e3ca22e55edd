import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterSet } from '../../../src/composition/clusters/cluster-set.ts';
import type { FurtherCluster } from '../../../src/composition/clusters/further-cluster.ts';
import { ClustersOverHttp } from '../../../src/composition/clusters/served-clusters.ts';
import { type StartedServer, startClusterAt } from '../../../src/server.ts';
import { inProcessFetch } from '../../../src/testing/fetch.ts';
import { AdjustableClock } from '../../../src/time/adjustable-clock.ts';
import { processClock } from '../../../src/time/clock.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MOST_BYTES = 400_000;

describe('further clusters that use up their memory', () => {
  let server: StartedServer;
  let clusters: ClusterSet;
  let full: FurtherCluster;
  let other: FurtherCluster;
  beforeAll(async () => {
    server = await startClusterAt(
      new AdjustableClock(processClock),
      { storageBackend: 'memory', securePort: 0, controllers: ['-*'] },
      { log: () => undefined },
      { mostClusterBytes: MOST_BYTES },
    );
    server.unref();
    clusters = await server.openClusters();
    full = await clusters.create('full');
    other = await clusters.create('other');
  });
  afterAll(() => server.stop());

  const ask = async (cluster: FurtherCluster, method: string, path: string, body?: object) => {
    const send = inProcessFetch((exchange) => cluster.handleInside(exchange), cluster);
    const response = await send(path, { method, ...(body !== undefined && { body }) });
    return { status: response.status, message: ((await response.json()) as { message?: string }).message };
  };
  const create = (cluster: FurtherCluster, name: string, bytes: number) =>
    ask(cluster, 'POST', MAPS, { metadata: { name }, data: { text: 'x'.repeat(bytes) } });

  it('refuses what adds to them in any of them, and says what to do; the first cluster goes on', async () => {
    let index = 0;
    while ((await create(full, `m${index}`, 50_000)).status === 201) index += 1;
    expect(index).toBeGreaterThan(2);
    expect(index).toBeLessThan(9);
    for (const cluster of [full, other])
      expect(await create(cluster, 'late', 10)).toEqual({
        status: 503,
        message: expect.stringMatching(
          /the further clusters of the server have \d+ bytes of objects, above 400000: delete objects or clusters/,
        ),
      });
    const overHttp = new ClustersOverHttp(clusters, server.first());
    await expect(overHttp.create(new Map())).rejects.toMatchObject({
      code: 429,
      message: expect.stringContaining('delete objects or clusters'),
      details: { retryAfterSeconds: 10 },
    });
    expect((await ask(full, 'GET', `${MAPS}/m0`)).status).toBe(200);
    const outside = inProcessFetch(server.handle, full);
    expect((await outside('/version')).status).toBe(401);
  });

  it('go on once something is deleted, updates and history included', async () => {
    // The state before the last change stays readable.
    for (const name of ['m0', 'm1']) expect((await ask(full, 'DELETE', `${MAPS}/${name}`)).status).toBe(200);
    expect((await create(other, 'late', 10)).status).toBe(201);
    // What updates replace is history, which is given up first.
    for (let round = 0; round < 20; round += 1)
      expect(
        (
          await ask(other, 'PUT', `${MAPS}/late`, {
            metadata: { name: 'late' },
            data: { text: 'y'.repeat(10_000 + round) },
          })
        ).status,
      ).toBe(200);
    await full.reset();
    expect((await create(other, 'more', 200_000)).status).toBe(201);
  });

  it('go on once a cluster is deleted', async () => {
    while ((await create(full, `n${processClock.monotonic()}`, 50_000)).status === 201);
    await clusters.remove(full);
    expect((await create(other, 'last', 10)).status).toBe(201);
  });
});
