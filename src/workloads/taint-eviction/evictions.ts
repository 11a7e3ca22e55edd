import type { Pod, Taint } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { ObjectSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { PODS } from '../../reconcile/resources.ts';
import { ApiError } from '../../status/index.ts';
import { toleratedTime } from './tolerated.ts';

export interface EvictionsOptions {
  readonly pods: ObjectSource;
  /** The taints of a node that evict. */
  readonly taintsOf: (node: string) => readonly Taint[];
  readonly client: Pick<Client, 'patch' | 'delete'>;
  readonly events: EventRecorder;
  /** Reconciles a Pod after some milliseconds of the cluster. */
  readonly addAfter: (key: string, wait: number) => void;
  /** Milliseconds since 1970, of the cluster. */
  readonly now: () => number;
}

/** A Pod that tolerates the taints of its node for a time. */
interface Scheduled {
  readonly uid: string;
  readonly at: number;
}

const CONDITION = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
};

/** When Pods are evicted: at once, or when their toleration ends, which counts from when the taint was seen. */
export class Evictions {
  readonly #options: EvictionsOptions;
  readonly #scheduled = new Map<string, Scheduled>();
  /** Pods that were evicted because of the present taints, by uid: their changes schedule nothing. */
  readonly #done = new Map<string, string>();

  constructor(options: EvictionsOptions) {
    this.#options = options;
  }

  /** The Pod is gone. */
  forget(key: string): void {
    this.#scheduled.delete(key);
    this.#done.delete(key);
  }

  /** Evicts a Pod, or decides when. */
  async reconcile(key: string): Promise<void> {
    const pod = this.#options.pods.get(key) as Pod | undefined;
    if (pod === undefined || !isManaged(pod.metadata ?? {})) return;
    const { uid = '' } = pod.metadata ?? {};
    const taints = this.#options.taintsOf(pod.spec?.nodeName ?? '');
    const wait =
      taints.length === 0 ? Number.POSITIVE_INFINITY : toleratedTime(taints, pod.spec?.tolerations);
    if (this.#scheduled.get(key)?.uid !== uid) this.#scheduled.delete(key);
    if (!Number.isFinite(wait)) {
      this.#done.delete(key);
      if (this.#scheduled.delete(key)) this.#event(pod, `Cancelling deletion of Pod ${key}`);
      return;
    }
    if (this.#done.get(key) === uid) return;
    const now = this.#options.now();
    const known = this.#scheduled.get(key);
    const at = wait === 0 ? now : Math.min(known?.at ?? Number.POSITIVE_INFINITY, now + wait);
    if (at > now) {
      this.#scheduled.set(key, { uid, at });
      this.#options.addAfter(key, at - now);
      return;
    }
    await this.#evict(key, pod);
  }

  async #evict(key: string, pod: Pod): Promise<void> {
    const { client, now } = this.#options;
    const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
    this.#event(pod, `Marking for deletion Pod ${key}`);
    this.#done.set(key, uid);
    try {
      const present = pod.status?.conditions?.find(({ type }) => type === CONDITION.type);
      if (present?.reason !== CONDITION.reason || present.status !== CONDITION.status) {
        const condition = { ...CONDITION, lastTransitionTime: formatTime(now()) };
        const change = { metadata: { uid }, status: { conditions: [condition] } };
        await client.patch(PODS, namespace, name, change, { subresource: 'status', isStrategic: true });
      }
      await client.delete(PODS, namespace, name, { preconditions: { uid } });
    } catch (error) {
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) {
        this.#done.delete(key);
        throw error;
      }
    }
    this.#scheduled.delete(key);
  }

  #event(pod: Pod, message: string): void {
    this.#options.events.record(PODS, pod, 'Normal', 'TaintManagerEviction', message);
  }
}
