import type { RuleName } from '../filters/filter.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { ClusterEvent } from './cluster-event.ts';

/** Where a pod waits: for its turn, for some time, for an event, or for itself to change; or it is being scheduled. */
export type Place = 'ready' | 'backingOff' | 'waiting' | 'held' | 'inFlight';

/** A pod of the queue. */
export interface QueuedPod {
  pod: PendingPod;
  place: Place;
  /** How often it was tried. */
  attempts: number;
  /** When it came to the queue, or was rejected last, in milliseconds of the cluster. */
  since: number;
  /** The rules that rejected it, or hold it back; empty if something else went wrong. */
  rules: ReadonlySet<RuleName>;
  /** Orders equal pods. */
  readonly order: number;
  /** What happened while it was being scheduled; undefined if that is more than is kept. */
  missed: ClusterEvent[] | undefined;
}

const FIRST_BACK_OFF = 1000;
const LONGEST_BACK_OFF = 10_000;

/** When a rejected pod may be tried again, in milliseconds of the cluster. */
export const endOfBackOff = ({ since, attempts }: QueuedPod): number =>
  since + (attempts === 0 ? 0 : Math.min(FIRST_BACK_OFF * 2 ** (attempts - 1), LONGEST_BACK_OFF));

/** Orders pods that are ready: the more important first, then those that wait for longer. */
export const byTurn = (left: QueuedPod, right: QueuedPod): number =>
  right.pod.info.priority - left.pod.info.priority || left.since - right.since || left.order - right.order;

/** Orders pods by the end of their back-off. */
export const byBackOff = (left: QueuedPod, right: QueuedPod): number =>
  endOfBackOff(left) - endOfBackOff(right) || left.order - right.order;
