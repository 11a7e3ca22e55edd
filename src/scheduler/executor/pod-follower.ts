import type { Pod } from '../../model/generated/core-v1.ts';
import type { IndexedSource, SourceObject } from '../../reader/object-source.ts';
import { isManaged } from '../../reconcile/managed.ts';
import type { Nominations } from '../nominations.ts';
import { type PendingPod, pendingPod } from '../objects/pending-pod.ts';
import { isFinished, type PodInfo, podInfo } from '../objects/pod-info.ts';
import type { RequestRules } from '../objects/pod-requests.ts';
import type { ClusterEvent } from '../queue/cluster-event.ts';
import type { SchedulingQueue } from '../queue/scheduling-queue.ts';
import type { ClusterState } from '../state/cluster-state.ts';

/** The value of `schedulerName` of the pods that are scheduled here. */
export const SCHEDULER_NAME = 'default-scheduler';

export interface PodFollowerOptions {
  readonly source: IndexedSource;
  readonly state: ClusterState;
  readonly queue: SchedulingQueue;
  readonly nominations: Nominations;
  readonly rules: RequestRules;
  readonly happened: (event: ClusterEvent) => void;
  /** A pod is seen that may need more than nodes and pods to be judged. */
  readonly seen: (pod: PodInfo) => void;
}

/** Keeps state, queue and nominations as the pods are. */
export class PodFollower {
  readonly #options: PodFollowerOptions;
  /** Pods that have a node by decision, and in the store not yet. */
  readonly #assumed = new Set<string>();

  constructor(options: PodFollowerOptions) {
    this.#options = options;
    options.source.onChange((key, current) => this.#changed(key, current));
  }

  /** A pod uses a node from now on, although that is not written yet. */
  assume(key: string, pod: PodInfo, node: string): void {
    const { state, nominations } = this.#options;
    this.#assumed.add(key);
    state.place(pod, node);
    nominations.delete(pod.uid);
  }

  /** The node of a pod could not be written. @returns whether the pod still waits for one */
  forget(key: string): boolean {
    const { state, source } = this.#options;
    if (!this.#assumed.delete(key)) return false;
    const before = state.pod(key);
    state.remove(key);
    this.#options.happened({ kind: 'pod', before, after: undefined });
    return source.has(key);
  }

  #changed(key: string, current: SourceObject | undefined): void {
    const pod = current?.peek() as Pod | undefined;
    if (pod === undefined || isFinished(pod)) this.#gone(key);
    else if ((pod.spec?.nodeName ?? '') !== '') this.#onNode(key, pod);
    else if (this.#assumed.has(key) && isSame(this.#options.state.pod(key), pod)) return;
    else if (isOurs(pod)) this.#waits(key, current!);
    else this.#gone(key);
  }

  #gone(key: string): void {
    const { state, queue, nominations } = this.#options;
    this.#assumed.delete(key);
    const waiting = queue.pod(key);
    if (waiting !== undefined) nominations.delete(waiting.info.uid);
    queue.remove(key);
    const before = state.pod(key);
    if (before === undefined) return;
    state.remove(key);
    this.#options.happened({ kind: 'pod', before, after: undefined });
  }

  #onNode(key: string, pod: Pod): void {
    const { state, queue, nominations, rules, seen } = this.#options;
    const waiting = queue.pod(key);
    if (waiting !== undefined) nominations.delete(waiting.info.uid);
    queue.remove(key);
    const known = state.pod(key);
    const isNew = known === undefined || this.#assumed.delete(key);
    if (known !== undefined && !rules.resizedPods && isUnchanged(known, pod)) {
      if (isNew) this.#options.happened({ kind: 'pod', before: undefined, after: known });
      return;
    }
    const after = podInfo(pod, rules);
    seen(after);
    state.place(after, pod.spec!.nodeName!);
    this.#options.happened({ kind: 'pod', before: isNew ? undefined : known, after });
  }

  #waits(key: string, current: SourceObject): void {
    const { queue, state, nominations, rules, seen } = this.#options;
    if (state.pod(key) !== undefined) this.#gone(key);
    const before = queue.pod(key);
    const pod = pendingPod(current.object as Pod, rules);
    seen(pod.info);
    this.#nominate(before, pod, nominations);
    queue.put(pod);
  }

  /** A nomination that was decided and is not written yet stays. */
  #nominate(
    before: PendingPod | undefined,
    { info, nominatedNode }: PendingPod,
    nominations: Nominations,
  ): void {
    if (nominatedNode !== '') nominations.set(info, nominatedNode);
    else if ((before?.nominatedNode ?? '') !== '') nominations.delete(info.uid);
  }
}

const isSame = (info: PodInfo | undefined, { metadata }: Pod): boolean => info?.uid === metadata?.uid;

const isOurs = ({ metadata, spec }: Pod): boolean =>
  spec?.schedulerName === SCHEDULER_NAME &&
  metadata?.deletionTimestamp === undefined &&
  isManaged(metadata ?? {});

/** Whether nothing has changed that matters to other pods; most changes are of the status alone. */
function isUnchanged(known: PodInfo, { metadata = {}, status = {} }: Pod): boolean {
  return (
    known.uid === metadata.uid &&
    known.isTerminating === (metadata.deletionTimestamp !== undefined) &&
    (known.startTime === undefined) === (status.startTime === undefined) &&
    hasLabels(known, metadata.labels ?? {})
  );
}

function hasLabels({ labels }: PodInfo, current: Readonly<Record<string, string>>): boolean {
  if (labels === current) return true;
  const names = Object.keys(current);
  return (
    names.length === Object.keys(labels).length &&
    names.every((name) => Object.hasOwn(labels, name) && labels[name] === current[name])
  );
}
