import type { Pod } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import { BY_NODE } from '../../reconcile/indexes.ts';
import { NODES, PODS } from '../../reconcile/resources.ts';
import { ApiError } from '../../status/index.ts';
import { type PodTraits, surplus, traitsOf } from './candidates.ts';

/** Between two checks, in milliseconds. */
const INTERVAL = 20_000;
/** How long a node is missing before its Pods are garbage, in milliseconds. */
const QUARANTINE = 40_000;

const NODE_GONE = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
};

export interface PodGarbageOptions {
  /** Number of finished Pods that are kept; 0 or less: all. */
  readonly threshold: number;
  readonly pods: IndexedSource;
  readonly nodes: Pick<IndexedSource, 'has'>;
  readonly client: Pick<Client, 'get' | 'patch' | 'delete'>;
  /** Calls {@link PodGarbage.collect} after some milliseconds of the cluster; of several times the earliest counts. */
  readonly checkAfter: (wait: number) => void;
  /** Milliseconds since 1970, of the cluster. */
  readonly now: () => number;
}

/** Notes Pods that may be garbage as they change, and collects them at its next check. Without any there is no check. */
export class PodGarbage {
  readonly #options: PodGarbageOptions;
  readonly #finished = new Map<string, { readonly key: string; readonly traits: PodTraits }>();
  /** Terminating Pods that were never bound. */
  readonly #unbound = new Set<string>();
  /** Nodes that Pods name but that do not exist, and since when. */
  readonly #missing = new Map<string, number>();
  readonly #outOfService = new Set<string>();

  constructor(options: PodGarbageOptions) {
    this.#options = options;
  }

  /** A node has changed, or is gone. */
  nodeChanged(name: string, isThere: boolean, isOutOfService: boolean): void {
    if (isThere) this.#missing.delete(name);
    else this.#noteMissing(name);
    if (isOutOfService) {
      this.#outOfService.add(name);
      this.#options.checkAfter(INTERVAL);
    } else this.#outOfService.delete(name);
  }

  /** A Pod has changed, or is gone or left alone. */
  podChanged(key: string, traits: PodTraits | undefined): void {
    const { threshold, nodes, checkAfter } = this.#options;
    this.#finished.delete(key);
    this.#unbound.delete(key);
    if (traits === undefined) return;
    if (traits.isFinished && threshold > 0) {
      this.#finished.set(key, { key, traits });
      if (this.#finished.size > threshold) checkAfter(INTERVAL);
    }
    if (traits.node === '' && traits.isTerminating) {
      this.#unbound.add(key);
      checkAfter(INTERVAL);
    }
    if (traits.node !== '' && !nodes.has(traits.node)) this.#noteMissing(traits.node);
    if (traits.isTerminating && this.#outOfService.has(traits.node)) checkAfter(INTERVAL);
  }

  /** Deletes what is garbage now. @throws ApiError if a deletion failed */
  async collect(): Promise<void> {
    const { threshold } = this.#options;
    const failures: unknown[] = [];
    const drop = async (keys: Iterable<string>, isOrphan: boolean): Promise<void> => {
      for (const key of [...keys])
        await this.#delete(key, isOrphan).catch((error: unknown) => failures.push(error));
    };
    await drop(
      surplus([...this.#finished.values()], threshold).map(({ key }) => key),
      false,
    );
    await drop(this.#unbound, false);
    for (const node of this.#outOfService) await drop(this.#podsOf(node, true), false);
    for (const node of [...this.#missing.keys()])
      if (await this.#isGone(node)) await drop(this.#podsOf(node, false), true);
    if (this.#missing.size > 0) this.#options.checkAfter(INTERVAL);
    if (failures.length > 0) throw failures[0];
  }

  #noteMissing(node: string): void {
    const { now, checkAfter } = this.#options;
    if (this.#missing.has(node)) return;
    this.#missing.set(node, now());
    checkAfter(INTERVAL);
  }

  /** Whether a missing node has been missing for long. One without Pods is forgotten. */
  async #isGone(node: string): Promise<boolean> {
    const { pods, client, now } = this.#options;
    const [any] = pods.find(BY_NODE, node);
    if (any === undefined) this.#missing.delete(node);
    const since = this.#missing.get(node);
    if (since === undefined || now() - since < QUARANTINE) return false;
    if ((await client.get(NODES, '', node, { metadataOnly: true })) === undefined) return true;
    this.#missing.delete(node);
    return false;
  }

  #podsOf(node: string, onlyTerminating: boolean): string[] {
    return Array.from(this.#options.pods.find(BY_NODE, node)).flatMap(([key, { object }]) => {
      const traits = traitsOf(object as Pod);
      return traits === undefined || (onlyTerminating && !traits.isTerminating) ? [] : [key];
    });
  }

  /** Marks a Pod as failed, unless it has finished, and deletes it at once. */
  async #delete(key: string, isOrphan: boolean): Promise<void> {
    const { client, pods, now } = this.#options;
    const pod = pods.get(key) as Pod | undefined;
    if (pod === undefined) return;
    const { namespace = '', name = '', uid } = pod.metadata ?? {};
    try {
      if (traitsOf(pod)?.isFinished !== true) {
        const conditions = [{ ...NODE_GONE, lastTransitionTime: formatTime(now()) }];
        const status = { phase: 'Failed', ...(isOrphan && { conditions }) };
        const target = { subresource: 'status', isStrategic: true };
        await client.patch(PODS, namespace, name, { metadata: { uid }, status }, target);
      }
      await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      const isGone = error instanceof ApiError && (error.code === 404 || error.code === 409);
      if (!isGone) throw error;
    }
  }
}
