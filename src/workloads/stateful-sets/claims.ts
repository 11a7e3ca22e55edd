import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import type { KubernetesObject, OwnerReference } from '../../model/object.ts';
import { apiVersionOf } from '../../model/object.ts';
import type { Resource } from '../../reconcile/client.ts';
import { controllerReference, type Owner } from '../../reconcile/pods/pod-control.ts';
import { PODS, STATEFUL_SETS } from '../../reconcile/resources.ts';
import { claimName, ordinalOf, wantsOrdinal } from './identity.ts';

/** The stored claim of a name, in the namespace of a set. */
export type FindClaim = (name: string) => PersistentVolumeClaim | undefined;

/** The names of the claims that the Pod of an ordinal uses. */
export const claimNames = (set: StatefulSet, ordinal: number): readonly string[] =>
  (set.spec?.volumeClaimTemplates ?? []).map((template) => claimName(set, template, ordinal));

/** Whether a claim has a name that Pods of a set use. */
export const mayUse = ({ metadata, spec }: StatefulSet, name: string): boolean =>
  (spec?.volumeClaimTemplates ?? []).some((template) => {
    const prefix = `${template.metadata?.name}-${metadata?.name}-`;
    return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));
  });

/** The claims that the Pod of an ordinal uses, as they are created. */
export const newClaims = (set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] =>
  (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const { namespace } = set.metadata ?? {};
    const labels = { ...template.metadata?.labels, ...set.spec?.selector?.matchLabels };
    return {
      ...template,
      metadata: {
        ...template.metadata,
        name: claimName(set, template, ordinal),
        ...(namespace !== undefined && { namespace }),
        ...(Object.keys(labels).length > 0 && { labels }),
      },
    };
  });

/** Who is to own a claim, so that the garbage collector deletes it with its owner. */
type Owners = 'nobody' | 'set' | 'pod';

/** A set owns its claims if they go with it; a Pod that is not wanted any more owns its claims if they go with it. */
function wantedOwner(set: StatefulSet, pod: Pod): Owners {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === 'Delete' && !wantsOrdinal(set, ordinalOf(pod))) return 'pod';
  return whenDeleted === 'Delete' ? 'set' : 'nobody';
}

const isRetained = (set: StatefulSet): boolean => {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } =
    set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return whenDeleted === 'Retain' && whenScaled === 'Retain';
};

/** Whether a reference has the name of an object, be it this one or another one of that name. */
const names = (reference: OwnerReference, resource: Resource, { metadata }: KubernetesObject): boolean =>
  reference.kind === resource.kind &&
  reference.apiVersion === apiVersionOf(resource.group, resource.version) &&
  reference.name === metadata?.name;

const referencesOf = ({ metadata }: PersistentVolumeClaim): readonly OwnerReference[] =>
  metadata?.ownerReferences ?? [];

/** Whether a claim belongs to an earlier object of the name. */
function isOfAnother(claim: PersistentVolumeClaim, resource: Resource, object: KubernetesObject): boolean {
  const reference = referencesOf(claim).find((one) => names(one, resource, object));
  return reference !== undefined && reference.uid !== object.metadata?.uid;
}

/** Whether a claim waits to be deleted with an earlier Pod of the name, so that a new one must not use it. */
export const isStale = (set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): boolean =>
  set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete' && isOfAnother(claim, PODS, pod);

/** Whether something else controls a claim that a set is to delete. */
export const hasOtherController = (set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): boolean =>
  !isRetained(set) &&
  referencesOf(claim).some((reference) => {
    if (names(reference, STATEFUL_SETS, set)) return reference.uid !== set.metadata?.uid;
    if (names(reference, PODS, pod)) return reference.uid !== pod.metadata?.uid;
    return reference.controller === true;
  });

/**
 * The owner references of a claim by the retention policy of its set. Claims of earlier objects of the names stay as
 * they are, for the garbage collector; one that something else controls gets no owners of ours.
 * @returns undefined if the claim has them
 */
export function changedOwners(
  set: StatefulSet,
  pod: Pod,
  claim: PersistentVolumeClaim,
): OwnerReference[] | undefined {
  if (isOfAnother(claim, STATEFUL_SETS, set) || isOfAnother(claim, PODS, pod)) return undefined;
  const present = referencesOf(claim);
  const others = present.filter(
    (reference) => !names(reference, STATEFUL_SETS, set) && !names(reference, PODS, pod),
  );
  const owner = hasOtherController(set, pod, claim) ? undefined : ownerOf(set, pod);
  const wanted = owner === undefined ? others : [...others, controllerReference(owner)];
  const isKept = wanted.every((reference) =>
    present.some(({ uid, controller }) => uid === reference.uid && controller === reference.controller),
  );
  return isKept && wanted.length === present.length ? undefined : wanted;
}

function ownerOf(set: StatefulSet, pod: Pod): Owner | undefined {
  const wanted = wantedOwner(set, pod);
  if (wanted === 'nobody') return undefined;
  return wanted === 'set' ? { resource: STATEFUL_SETS, object: set } : { resource: PODS, object: pod };
}
