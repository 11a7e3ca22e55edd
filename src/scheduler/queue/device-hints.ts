import type { RuleName } from '../filters/filter.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { EventKind, EventOf } from './cluster-event.ts';

type Hints<Kind extends EventKind> = Partial<
  Record<RuleName, (pod: PendingPod, event: EventOf<Kind>) => boolean>
>;

const isNew = (_pod: PendingPod, { after }: { after?: unknown }): boolean => after !== undefined;

export const RESOURCE_CLAIM_HINTS: Hints<'resourceClaim'> = { DynamicResources: mayHelp };
export const DEVICE_CLASS_HINTS: Hints<'deviceClass'> = { DynamicResources: isNew };
/** Without one of its slices a pool may be complete, or have fewer devices of which all are wanted. */
export const SLICE_HINTS: Hints<'resourceSlice'> = { DynamicResources: () => true };

/** A claim that gives its devices back helps all, a change of its status the pods that use it. */
function mayHelp(pod: PendingPod, { before, after }: EventOf<'resourceClaim'>): boolean {
  const had = before?.status?.allocation;
  if (had !== undefined && JSON.stringify(had) !== JSON.stringify(after?.status?.allocation)) return true;
  if (after === undefined || after.metadata?.namespace !== pod.info.namespace) return false;
  const name = after.metadata.name;
  const isUsed =
    pod.resourceClaims.some(({ resourceClaimName }) => resourceClaimName === name) ||
    pod.resourceClaimStatuses.some(({ resourceClaimName }) => resourceClaimName === name);
  return isUsed && (before === undefined || JSON.stringify(before.status) !== JSON.stringify(after.status));
}
