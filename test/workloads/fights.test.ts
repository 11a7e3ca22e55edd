import { afterAll, beforeAll, describe, it } from 'vitest';
import type { KubernetesObject } from '../../src/model/object.ts';
import { processClock } from '../../src/time/clock.ts';
import { watchUntil } from '../support/watch-until.ts';
import { template, WorkloadCluster, workload } from './workload-cluster.ts';

/** An object that a controller writes, and a client that undoes that as often. */
interface Fight {
  /** The path of the collection, and the name of the object. */
  readonly collection: string;
  readonly name: string;
  /** Whether the object is as the controller writes it. */
  readonly isRepaired: (object: KubernetesObject) => boolean;
  readonly subresource?: string;
  /** A merge patch. */
  readonly damage: object;
}

/** Repairs that are looked at together, and the least milliseconds that they take once the controller holds back. */
const WINDOW = 20;
const LEAST = 1000;
/** A controller that repairs more often than twenty times a second has used its burst by then. */
const MOST_REPAIRS = 600;

describe('a client that undoes what a controller writes, for ever', () => {
  let cluster: WorkloadCluster;
  beforeAll(async () => {
    cluster = await WorkloadCluster.start();
  });
  afterAll(() => cluster.cluster.stop());

  /** Resolves when repairs have become few; rejects if they go on as fast as they can. */
  async function slowsDown({ collection, name, isRepaired, damage, subresource }: Fight): Promise<void> {
    const object = `${collection}/${name}`;
    const target = subresource === undefined ? object : `${object}/${subresource}`;
    let version: string | undefined;
    let begin = processClock.monotonic();
    for (let repairs = 1; repairs <= MOST_REPAIRS; repairs += 1) {
      await watchUntil<KubernetesObject>(
        cluster.cluster,
        `${collection}?fieldSelector=metadata.name%3D${name}`,
        isRepaired,
        version,
      );
      version = (await cluster.api.merge(target, damage)).metadata!.resourceVersion!;
      if (repairs % WINDOW !== 0) continue;
      const now = processClock.monotonic();
      if (now - begin >= LEAST) return;
      begin = now;
    }
    throw new Error(`${name} was repaired ${MOST_REPAIRS} times without a pause`);
  }

  const statusOf = (object: KubernetesObject): Readonly<Record<string, unknown>> =>
    (object['status'] ?? {}) as Readonly<Record<string, unknown>>;

  it('is answered at an even pace', async () => {
    const { api } = cluster;
    const jobs = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs`;
    await api.call('POST', cluster.apps('replicasets'), workload('set'));
    const { metadata, spec } = template('job');
    await api.call('POST', jobs, {
      metadata: { name: 'job' },
      spec: {
        template: {
          metadata,
          spec: {
            ...spec,
            restartPolicy: 'Never',
            containers: [{ name: 'main', image: 'app:1', command: ['sleep', 'infinity'] }],
          },
        },
      },
    });
    await Promise.all([
      slowsDown({
        collection: cluster.apps('replicasets'),
        name: 'set',
        isRepaired: (set) => statusOf(set)['replicas'] === 2,
        subresource: 'status',
        damage: { status: { replicas: 7 } },
      }),
      slowsDown({
        collection: jobs,
        name: 'job',
        isRepaired: (job) => statusOf(job)['ready'] === 1,
        subresource: 'status',
        damage: { status: { ready: 0 } },
      }),
      slowsDown({
        collection: cluster.core('configmaps'),
        name: 'kube-root-ca.crt',
        isRepaired: (map) => map['data'] !== undefined,
        damage: { data: null },
      }),
    ]);
  });
});
