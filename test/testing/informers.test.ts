import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const NAMESPACE = 'default';
const MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const WRITERS = 4;
const PATIENCE = { timeout: 60_000 };

/** What a reset does to a write that it meets. */
const EXPECTED = [200, 201, 404, 409, 500, 503];

describe('an informer of the Kubernetes client library', () => {
  let parent: TestCluster;
  const change = (cluster: TestCluster, method: string, path: string, body?: object) =>
    cluster.fetch(path, { method, ...(body && { body }) });
  beforeAll(async () => {
    parent = await startCluster({ controllers: ['-*'] });
    for (let writer = 0; writer < WRITERS; writer += 1)
      await change(parent, 'POST', MAPS, { metadata: { name: `seed-${writer}` } });
  });
  afterAll(() => parent.stop());

  /** Creates, changes and deletes objects until `isOver`. */
  async function write(cluster: TestCluster, writer: number, isOver: () => boolean): Promise<number[]> {
    const statuses: number[] = [];
    const send = async (method: string, path: string, body?: object) => {
      const response = await change(cluster, method, path, body);
      await response.text();
      statuses.push(response.status);
    };
    for (let number = 0; !isOver(); number += 1) {
      const [name, seed] = [`written-${writer}-${number}`, `seed-${writer}`];
      await send('POST', MAPS, { metadata: { name } });
      await send('PUT', `${MAPS}/${seed}`, { metadata: { name: seed }, data: { number: String(number) } });
      if (number % 2 === 0) await send('DELETE', `${MAPS}/${name}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return statuses;
  }

  it('recovers by itself when its cluster is reset while it is written', async () => {
    await using cluster = await parent.fork();
    const config = new KubeConfig();
    config.loadFromString(cluster.kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    const informer = makeInformer<V1ConfigMap>(config, MAPS, () =>
      api.listNamespacedConfigMap({ namespace: NAMESPACE }),
    );
    // As the library's documentation says: an informer that fails is started again.
    informer.on('error', () => void setTimeout(() => void informer.start(), 10));
    let changes = 0;
    informer.on('change', () => {
      changes += 1;
    });
    await informer.start();
    const held = () => informer.list().map(({ metadata }) => `${metadata?.uid} ${metadata?.resourceVersion}`);
    const onServer = async () =>
      (await api.listNamespacedConfigMap({ namespace: NAMESPACE })).items.map(
        ({ metadata }) => `${metadata?.uid} ${metadata?.resourceVersion}`,
      );

    let isOver = false;
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(cluster, writer, () => isOver));
    for (let round = 0; round < 5; round += 1) {
      // More changes than the reset itself makes.
      const goal = changes + informer.list().length + 20 * WRITERS;
      await expect.poll(() => changes, PATIENCE).toBeGreaterThan(goal);
      await cluster.reset();
    }
    isOver = true;
    const statuses = (await Promise.all(writing)).flat();
    expect(statuses.filter((status) => !EXPECTED.includes(status))).toEqual([]);
    const expected = (await onServer()).sort();
    await expect.poll(() => held().sort(), PATIENCE).toEqual(expected);
    await informer.stop();
  });
});
