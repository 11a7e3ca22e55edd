import type { BudgetView } from './decision/preemption/budgets.ts';
import type { DeviceView } from './devices/device-view.ts';
import type { Labels } from './objects/label-matcher.ts';
import type { OwnerView } from './objects/owner-selector.ts';
import type { PodInfo } from './objects/pod-info.ts';
import type { ClusterState } from './state/cluster-state.ts';
import type { VolumeView } from './volumes/volume-view.ts';

/** Labels of namespaces. */
export interface NamespaceView {
  /** Empty for an unknown namespace. */
  labels(namespace: string): Labels;
  entries(): Iterable<readonly [namespace: string, labels: Labels]>;
}

/** Pods for which others were preempted. */
export interface NominationView {
  /** Those that wait for their room on a node. */
  on(node: string): readonly PodInfo[];
}

/** All that a decision reads. */
export interface SchedulingView {
  readonly state: ClusterState;
  readonly namespaces: NamespaceView;
  readonly owners: OwnerView;
  readonly volumes: VolumeView;
  readonly budgets: BudgetView;
  readonly nominations: NominationView;
  /** Undefined if dynamic resource allocation is off. */
  readonly devices: DeviceView | undefined;
}
