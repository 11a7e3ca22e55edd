import { vi } from 'vitest';
import type { Node, Pod } from '../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { startCluster, type TestCluster } from '../../src/testing/index.ts';

const PODS = '/api/v1/namespaces/default/pods';

/** A cluster with simulated nodes, and what tests do with it. */
export class SimulatedCluster {
  constructor(readonly cluster: TestCluster) {}

  static async start(options: Parameters<typeof startCluster>[0]): Promise<SimulatedCluster> {
    const cluster = await startCluster({
      simulateNodes: 1,
      controllers: ['serviceaccount-controller'],
      ...options,
    });
    const started = new SimulatedCluster(cluster);
    await started.until('/api/v1/namespaces/default/serviceaccounts/default', () => true);
    return started;
  }

  /** Sends a request; an error status is an Error. */
  async send(
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<KubernetesObject> {
    const response = await this.cluster.fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': type } }),
    });
    const answer = (await response.json()) as KubernetesObject;
    if (response.status >= 300) throw new Error(`${response.status}: ${answer['message']}`);
    return answer;
  }

  merge(path: string, change: object): Promise<KubernetesObject> {
    return this.send('PATCH', path, change, 'application/merge-patch+json');
  }

  /** Resolves with an object once it is as expected. */
  until<Type extends object = KubernetesObject>(
    path: string,
    isSo: (object: Type) => boolean,
  ): Promise<Type> {
    return vi.waitFor(
      async () => {
        const object = (await this.send('GET', path)) as Type;
        if (!isSo(object)) throw new Error(JSON.stringify(object));
        return object;
      },
      { interval: 10 },
    );
  }

  /** Resolves once an object is gone. */
  gone(path: string): Promise<void> {
    return vi.waitFor(
      async () => {
        const { status } = await this.cluster.fetch(path);
        if (status !== 404) throw new Error(`still there: ${status}`);
      },
      { interval: 10 },
    );
  }

  async createPod(name: string, spec: Pod['spec'] = {}, metadata: object = {}): Promise<Pod> {
    const containers = [{ name: 'main', image: 'app:1' }];
    const pod = { metadata: { name, ...metadata }, spec: { nodeName: 'node-0', containers, ...spec } };
    return (await this.send('POST', PODS, pod)) as Pod;
  }

  pod(name: string, isSo: (pod: Pod) => boolean): Promise<Pod> {
    return this.until(`${PODS}/${name}`, isSo);
  }

  node(name: string, isSo: (node: Node) => boolean): Promise<Node> {
    return this.until(`/api/v1/nodes/${name}`, isSo);
  }
}

/** The status of a condition of a Pod or node. */
export const conditionOf = ({ status }: Pod | Node, type: string): string | undefined =>
  (status?.conditions as readonly { type?: string; status?: string }[] | undefined)?.find(
    (one) => one.type === type,
  )?.status;

export const isReady = (object: Pod | Node): boolean => conditionOf(object, 'Ready') === 'True';
