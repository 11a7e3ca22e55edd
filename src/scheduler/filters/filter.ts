import type { Steps } from '../../steps/steps.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { NodeState } from '../state/node-state.ts';
import type { SchedulingView } from '../view.ts';

/** The rules in the order of their checks; their names are those of the plugins of kube-scheduler. */
export type RuleName =
  | 'SchedulingGates'
  | 'NodeUnschedulable'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeRestrictions'
  | 'NodeVolumeLimits'
  | 'VolumeBinding'
  | 'VolumeZone'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'DynamicResources'
  /** There are no nodes. */
  | 'NoNodes';

/** Why a pod cannot use a node, or any. */
export interface Rejection {
  readonly rule: RuleName;
  /** As in the message of the pod. */
  readonly reasons: readonly string[];
  /** Fewer pods on the node may help. */
  readonly mayPreempt: boolean;
}

/** A rule of one pod. */
export interface NodeCheck {
  readonly rule: RuleName;
  /** Undefined if the pod can use the node. @throws SchedulingError */
  check(node: NodeState): Rejection | undefined;
  /** Does the long work of {@link check} in steps. @throws SchedulingError */
  prepareNode?(node: NodeState): Steps<void>;
  /** A pod was added to a node, or taken from it. */
  podChanged?(pod: PodInfo, node: NodeState, delta: 1 | -1): void;
}

/** What a rule says about a pod before it looks at nodes. */
export interface Preparation {
  readonly check?: NodeCheck;
  /** No node can be used. */
  readonly rejection?: Rejection;
  /** Other nodes cannot be used. */
  readonly nodeNames?: ReadonlySet<string>;
}

/** The rule says nothing about the pod. */
export const DOES_NOT_APPLY: Preparation = {};

/** Reads a pod by a rule. @throws SchedulingError */
export type Rule = (pod: PendingPod, view: SchedulingView) => Preparation;

/** A rejection that fewer pods on the node cannot change. */
export const impossible = (rule: RuleName, ...reasons: string[]): Rejection => ({
  rule,
  reasons,
  mayPreempt: false,
});

/** A rejection that preemption may change. */
export const unfit = (rule: RuleName, ...reasons: string[]): Rejection => ({
  rule,
  reasons,
  mayPreempt: true,
});
