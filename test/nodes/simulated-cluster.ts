import { vi } from 'vitest';
import type { Node, Pod } from '../../src/model/generated/core-v1.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import type { ServerOptions } from '../../src/options/options.ts';
import { type RunningServer, startClusterAt } from '../../src/server.ts';
import { type InProcessFetch, inProcessFetch } from '../../src/testing/fetch.ts';
import { AdjustableClock } from '../../src/time/adjustable-clock.ts';
import { processClock } from '../../src/time/clock.ts';

const PODS = '/api/v1/namespaces/default/pods';

/** A cluster with simulated nodes, and what tests do with it. Its time is the one that the test sets. */
export class SimulatedCluster {
  readonly clock: AdjustableClock;
  readonly #server: RunningServer;
  readonly #fetch: InProcessFetch;

  private constructor(clock: AdjustableClock, server: RunningServer) {
    this.clock = clock;
    this.#server = server;
    const [, certificate = ''] = /client-certificate-data: (\S+)/.exec(server.kubeconfig) ?? [];
    this.#fetch = inProcessFetch(server.handle, Buffer.from(certificate, 'base64').toString());
  }

  static async start(options: ServerOptions = {}): Promise<SimulatedCluster> {
    const clock = new AdjustableClock(processClock);
    const controllers = ['serviceaccount-controller'];
    const server = await startClusterAt(
      clock,
      { storageBackend: 'memory', securePort: 0, simulateNodes: 1, controllers, ...options },
      { log: () => undefined },
    );
    server.unref();
    const started = new SimulatedCluster(clock, server);
    await started.until('/api/v1/namespaces/default/serviceaccounts/default', () => true);
    return started;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  /** Sends a request; an error status is an Error. */
  async send(
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<KubernetesObject> {
    const response = await this.#fetch(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': type } }),
    });
    const answer = (await response.json()) as KubernetesObject;
    if (response.status >= 300) throw new Error(`${response.status}: ${answer['message']}`);
    return answer;
  }

  /** The status code of a request with more headers. */
  async statusOf(
    method: string,
    path: string,
    body: object,
    headers: Record<string, string>,
  ): Promise<number> {
    const type = { 'content-type': 'application/merge-patch+json' };
    const response = await this.#fetch(path, {
      method,
      body: JSON.stringify(body),
      headers: { ...type, ...headers },
    });
    await response.text();
    return response.status;
  }

  merge(path: string, change: object): Promise<KubernetesObject> {
    return this.send('PATCH', path, change, 'application/merge-patch+json');
  }

  /**
   * Resolves with an object once it is as expected.
   * @param step seconds of the cluster that pass before each look; default: its time passes by itself
   */
  until<Type extends object = KubernetesObject>(
    path: string,
    isSo: (object: Type) => boolean,
    step = 0,
  ): Promise<Type> {
    return vi.waitFor(
      async () => {
        await this.clock.advance(step * 1000);
        const object = (await this.send('GET', path)) as Type;
        if (!isSo(object)) throw new Error(JSON.stringify(object));
        return object;
      },
      { interval: 10 },
    );
  }

  /** Resolves once an object is gone. @param step as in {@link until} */
  gone(path: string, step = 0): Promise<void> {
    return vi.waitFor(
      async () => {
        await this.clock.advance(step * 1000);
        const { status } = await this.#fetch(path);
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

  pod(name: string, isSo: (pod: Pod) => boolean, step?: number): Promise<Pod> {
    return this.until(`${PODS}/${name}`, isSo, step);
  }

  node(name: string, isSo: (node: Node) => boolean, step?: number): Promise<Node> {
    return this.until(`/api/v1/nodes/${name}`, isSo, step);
  }

  /** The messages of the events of an object, by their reasons. */
  async events(name: string): Promise<Record<string, string>> {
    const list = await this.send('GET', `/api/v1/events?fieldSelector=involvedObject.name=${name}`);
    const events = list['items'] as readonly { reason: string; message: string }[];
    return Object.fromEntries(events.map(({ reason, message }) => [reason, message]));
  }
}

/** The status of a condition of a Pod or node. */
export const conditionOf = ({ status }: Pod | Node, type: string): string | undefined =>
  (status?.conditions as readonly { type?: string; status?: string }[] | undefined)?.find(
    (one) => one.type === type,
  )?.status;

export const isReady = (object: Pod | Node): boolean => conditionOf(object, 'Ready') === 'True';
