import type { Pod } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import type { SeriesRecorder } from '../../reconcile/events/series-recorder.ts';
import { PODS } from '../../reconcile/resources.ts';
import { ApiError } from '../../status/index.ts';
import type { ClusterClock } from '../../time/clock.ts';
import type { Preemption } from '../decision/decide.ts';
import type { Nominations } from '../nominations.ts';
import { type PodInfo, podKey } from '../objects/pod-info.ts';
import { patchStatus, statusChange } from './pod-status.ts';

/** Victims that are removed at the same time. */
const AT_A_TIME = 16;

export interface PreemptorOptions {
  readonly client: Pick<Client, 'patch' | 'delete'>;
  readonly pods: IndexedSource;
  readonly events: Pick<SeriesRecorder, 'record'>;
  readonly nominations: Nominations;
  readonly clusterClock: Pick<ClusterClock, 'now'>;
}

/** Makes room for pods. */
export class Preemptor {
  readonly #options: PreemptorOptions;

  constructor(options: PreemptorOptions) {
    this.#options = options;
  }

  /** Removes victims. Less important pods that waited for the node look for another one. @throws ApiError */
  async preempt(pod: Pod, info: PodInfo, { node, victims }: Preemption): Promise<void> {
    for (let first = 0; first < victims.length; first += AT_A_TIME)
      await Promise.all(
        victims.slice(first, first + AT_A_TIME).map((victim) => this.#remove(victim, pod, node)),
      );
    const { nominations } = this.#options;
    for (const other of nominations.on(node))
      if (other.priority < info.priority) {
        nominations.delete(other.uid);
        await this.#endNomination(other);
      }
    nominations.set(info, node);
  }

  async #remove(victim: PodInfo, preemptor: Pod, node: string): Promise<void> {
    const { client, events, clusterClock } = this.#options;
    const pod = this.#podOf(victim);
    if (pod === undefined) return;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${preemptor.spec?.schedulerName}: preempting to accommodate a higher priority pod`,
    };
    const change = statusChange(pod, condition, undefined, clusterClock.now());
    if (change !== undefined) await patchStatus(client, pod, change);
    try {
      await client.delete(PODS, victim.namespace, victim.name, { preconditions: { uid: victim.uid } });
    } catch (error) {
      // It is gone, or another pod has its name.
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
      throw error;
    }
    events.record({
      resource: PODS,
      object: pod as KubernetesObject,
      related: { resource: PODS, object: preemptor as KubernetesObject },
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      note: `Preempted by pod ${preemptor.metadata?.uid} on node ${node}`,
    });
  }

  async #endNomination(info: PodInfo): Promise<void> {
    const { client, clusterClock } = this.#options;
    const pod = this.#podOf(info);
    const change = pod && statusChange(pod, undefined, '', clusterClock.now());
    if (change !== undefined) await patchStatus(client, pod!, change);
  }

  /** The pod as it is stored; undefined if it is gone. */
  #podOf(info: PodInfo): Pod | undefined {
    const pod = this.#options.pods.get(podKey(info)) as Pod | undefined;
    return pod?.metadata?.uid === info.uid ? pod : undefined;
  }
}
