import { vi } from 'vitest';
import type { Deployment, ReplicaSet } from '../../src/model/generated/apps-v1.ts';
import type { Event, Pod } from '../../src/model/generated/core-v1.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';
import { Api } from '../controllers/api.ts';

/** A cluster with simulated nodes and one namespace, and what tests of controllers do with it. */
export class WorkloadCluster {
  readonly api: Api;

  constructor(
    readonly cluster: TestCluster,
    readonly namespace: string,
  ) {
    this.api = new Api(cluster);
  }

  static async start(options: Parameters<typeof startCluster>[0] = {}): Promise<WorkloadCluster> {
    const cluster = await startCluster({ simulateNodes: 2, ...options });
    const started = new WorkloadCluster(cluster, await cluster.createNamespace());
    await vi.waitFor(() => started.api.call('GET', started.core('serviceaccounts/default')), {
      interval: 10,
    });
    return started;
  }

  /** The same cluster, in another namespace. */
  async inNewNamespace(): Promise<WorkloadCluster> {
    return new WorkloadCluster(this.cluster, await this.cluster.createNamespace());
  }

  core(path: string): string {
    return `/api/v1/namespaces/${this.namespace}/${path}`;
  }

  apps(path: string): string {
    return `/apis/apps/v1/namespaces/${this.namespace}/${path}`;
  }

  /** Resolves with an object once it is as expected. */
  until<Type extends object>(path: string, isSo: (object: Type) => boolean): Promise<Type> {
    return vi.waitFor(
      async () => {
        const object = (await this.api.call('GET', path)) as unknown as Type;
        if (!isSo(object)) throw new Error(JSON.stringify(object));
        return object;
      },
      { interval: 10, timeout: 10_000 },
    );
  }

  async pods(selector = ''): Promise<Pod[]> {
    const { items } = await this.api.call(
      'GET',
      this.core(`pods?labelSelector=${encodeURIComponent(selector)}`),
    );
    return items as unknown as Pod[];
  }

  /** Resolves with the texts of events of an object, `reason: message`, once one contains a text. */
  events(object: string, awaited: string): Promise<string[]> {
    return vi.waitFor(
      async () => {
        const path = this.core(`events?fieldSelector=involvedObject.name=${object}`);
        const items = (await this.api.call('GET', path)).items as unknown as Event[];
        const texts = items.map(({ reason, message }) => `${reason}: ${message}`);
        if (!texts.some((text) => text.includes(awaited)))
          throw new Error(`no ${awaited} in ${texts.join('; ')}`);
        return texts;
      },
      { interval: 10 },
    );
  }

  replicaSet(name: string, isSo: (set: ReplicaSet) => boolean): Promise<ReplicaSet> {
    return this.until(this.apps(`replicasets/${name}`), isSo);
  }

  deployment(name: string, isSo: (deployment: Deployment) => boolean): Promise<Deployment> {
    return this.until(this.apps(`deployments/${name}`), isSo);
  }
}

/** The template of Pods with a label, on a simulated node. */
export const template = (app: string, image = 'app:1') => ({
  metadata: { labels: { app } },
  spec: { nodeName: 'node-0', containers: [{ name: 'main', image }], terminationGracePeriodSeconds: 1 },
});

/** A ReplicaSet, Deployment or similar object with one label. */
export const workload = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { replicas: 2, selector: { matchLabels: { app: name } }, template: template(name), ...spec },
});

/** Whether a Deployment says that its rollout is complete, as `kubectl rollout status` reads it. */
export const isRolledOut = ({ metadata, spec, status = {} }: Deployment): boolean => {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  const isCounted = [updatedReplicas, replicas, availableReplicas].every((count) => count === spec?.replicas);
  return isCounted && status.observedGeneration === metadata?.generation;
};
