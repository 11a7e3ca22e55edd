import type { RuleName } from '../filters/filter.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { ClusterEvent, EventKind, EventOf } from './cluster-event.ts';
import { DEVICE_CLASS_HINTS, RESOURCE_CLAIM_HINTS, SLICE_HINTS } from './device-hints.ts';
import { NODE_HINTS } from './node-hints.ts';
import { POD_HINTS, SELF_HINTS } from './pod-hints.ts';
import {
  ATTACHMENT_HINTS,
  CAPACITY_HINTS,
  CLAIM_HINTS,
  CLASS_HINTS,
  CSI_NODE_HINTS,
  DRIVER_HINTS,
  VOLUME_HINTS,
} from './volume-hints.ts';

/** By kind of event and rule: whether the event may help a pod that the rule rejected. Without one it does not. */
const HINTS: {
  readonly [Kind in EventKind]: Partial<Record<RuleName, (pod: PendingPod, event: EventOf<Kind>) => boolean>>;
} = {
  node: NODE_HINTS,
  pod: POD_HINTS,
  self: SELF_HINTS,
  claim: CLAIM_HINTS,
  volume: VOLUME_HINTS,
  storageClass: CLASS_HINTS,
  csiNode: CSI_NODE_HINTS,
  csiDriver: DRIVER_HINTS,
  capacity: CAPACITY_HINTS,
  attachment: ATTACHMENT_HINTS,
  resourceClaim: RESOURCE_CLAIM_HINTS,
  deviceClass: DEVICE_CLASS_HINTS,
  resourceSlice: SLICE_HINTS,
};

/** The rules whose rejections an event may change, for some pod. */
export const rulesOf = (kind: EventKind): readonly RuleName[] => Object.keys(HINTS[kind]) as RuleName[];

/** Whether an event may help a pod that a rule rejected. */
export function mayHelp<Kind extends EventKind>(
  pod: PendingPod,
  rule: RuleName,
  event: EventOf<Kind> & ClusterEvent,
): boolean {
  const hints = HINTS[event.kind as Kind];
  return hints[rule]?.(pod, event) === true;
}
