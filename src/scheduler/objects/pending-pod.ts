import type {
  Pod,
  PodResourceClaim,
  PodStatus,
  Toleration,
  TopologySpreadConstraint,
} from '../../model/generated/core-v1.ts';
import type { OwnerReference } from '../../model/generated/meta-v1.ts';
import {
  type NodeMatcher,
  type PreferredNodes,
  preferredNodes,
  requiredNodeMatcher,
  requiredNodeNames,
} from '../../reconcile/nodes/node-selector.ts';
import { type PodInfo, podInfo } from './pod-info.ts';
import type { RequestRules } from './pod-requests.ts';

/** A pod that waits for a node: what it says about nodes, read once. */
export interface PendingPod {
  readonly info: PodInfo;
  readonly schedulerName: string;
  /** The controller that made it. */
  readonly controller: OwnerReference | undefined;
  readonly gates: readonly string[];
  /** The node for which it preempted others. */
  readonly nominatedNode: string;
  readonly mayPreempt: boolean;
  readonly tolerations: readonly Toleration[];
  /** Undefined: all nodes. */
  readonly requiredNodes: NodeMatcher | undefined;
  readonly requiredNodeNames: ReadonlySet<string> | undefined;
  readonly preferredNodes: readonly PreferredNodes[];
  readonly spreadConstraints: readonly TopologySpreadConstraint[];
  readonly resourceClaims: readonly PodResourceClaim[];
  readonly resourceClaimStatuses: NonNullable<PodStatus['resourceClaimStatuses']>;
  /** One for each container and init container. */
  readonly images: readonly string[];
}

const NO_TOLERATIONS: readonly Toleration[] = [];

export function pendingPod(pod: Pod, rules: RequestRules): PendingPod {
  const { metadata = {}, spec = {}, status = {} } = pod;
  const { initContainers = [], containers = [], affinity } = spec;
  return {
    info: podInfo(pod, rules),
    schedulerName: spec.schedulerName ?? '',
    controller: metadata.ownerReferences?.find(({ controller }) => controller === true),
    gates: (spec.schedulingGates ?? []).map(({ name = '' }) => name),
    nominatedNode: status.nominatedNodeName ?? '',
    mayPreempt: spec.preemptionPolicy !== 'Never',
    tolerations: spec.tolerations ?? NO_TOLERATIONS,
    requiredNodes: requiredNodeMatcher(spec.nodeSelector, affinity),
    requiredNodeNames: requiredNodeNames(affinity),
    preferredNodes: preferredNodes(
      affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
    ),
    spreadConstraints: spec.topologySpreadConstraints ?? [],
    resourceClaims: spec.resourceClaims ?? [],
    resourceClaimStatuses: status.resourceClaimStatuses ?? [],
    images: [...initContainers, ...containers].map(({ image = '' }) => image),
  };
}
