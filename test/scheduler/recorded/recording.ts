import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { Situation } from '../situations/situation.ts';

/** What kube-scheduler did with a pod. */
export interface Outcome {
  readonly node?: string;
  /** Why the pod has no node. */
  readonly message?: string;
  /** `Unschedulable` or `SchedulerError`. */
  readonly reason?: string;
  readonly nominatedNode?: string;
  /** Names of the pods that it preempted. */
  readonly victims?: readonly string[];
  /** Weighted scores by node and plugin, where more than one node was feasible. */
  readonly scores?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A situation as a server shows it, and what kube-scheduler did with each of its probes. */
export interface Recording {
  readonly situation: Omit<Situation, 'probes'>;
  readonly cases: readonly { readonly pod: Pod; readonly outcome: Outcome }[];
}
