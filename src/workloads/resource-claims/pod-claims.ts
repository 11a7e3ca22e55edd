import type { Pod, PodResourceClaim } from '../../model/generated/core-v1.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../model/generated/resource-v1beta1.ts';
import { requestAlternatives } from '../../reconcile/devices.ts';
import { controllerOf } from '../../reconcile/indexes.ts';
import { controllerReference } from '../../reconcile/pods/pod-control.ts';
import { isFinished } from '../../reconcile/pods/pod-state.ts';
import { PODS } from '../../reconcile/resources.ts';
import { annotationOf } from '../../reconcile/volumes/annotations.ts';

/** On a claim that was made for a pod: the name of the pod's entry that asked for it. */
const ENTRY_ANNOTATION = 'resource.kubernetes.io/pod-claim-name';

/** Longest prefix of a generated name, so that the suffix fits into 63 characters. */
const LONGEST_PREFIX = 57;

/** Pods that may use one claim at a time. */
const MOST_USERS = 256;

/** The claim of an entry of a pod. */
export type EntryClaim =
  | { readonly is: 'named'; readonly name: string; readonly isMade: boolean }
  /** It is to be made of a template. */
  | { readonly is: 'missing' }
  /** The entry turned out to need none, or has no known form. */
  | { readonly is: 'none' };

/** Finds the claim of an entry of a pod by what the pod says about it. */
export function entryClaim({ status }: Pod, entry: PodResourceClaim): EntryClaim {
  if (entry.resourceClaimName !== undefined)
    return { is: 'named', name: entry.resourceClaimName, isMade: false };
  if (entry.resourceClaimTemplateName === undefined) return { is: 'none' };
  const known = status?.resourceClaimStatuses?.find(({ name }) => name === entry.name);
  if (known === undefined) return { is: 'missing' };
  return known.resourceClaimName === undefined
    ? { is: 'none' }
    : { is: 'named', name: known.resourceClaimName, isMade: true };
}

/** Names of the claims that a pod uses. */
export const usedClaims = (pod: Pod): readonly string[] =>
  (pod.spec?.resourceClaims ?? []).flatMap((entry) => {
    const claim = entryClaim(pod, entry);
    return claim.is === 'named' ? [claim.name] : [];
  });

/** Whether none of the containers of a pod runs or ever will. */
export const isDone = (pod: Pod): boolean =>
  isFinished(pod) || (pod.metadata?.deletionTimestamp !== undefined && !pod.spec?.nodeName);

/** Whether a claim was made for a pod. */
export const isMadeFor = ({ metadata = {} }: ResourceClaim, pod: Pod): boolean =>
  controllerOf(metadata)?.uid === pod.metadata?.uid;

/** Whether a claim was made for an entry of the pod that controls it. */
export const isMadeForEntry = ({ metadata }: ResourceClaim, { name }: PodResourceClaim): boolean =>
  annotationOf(metadata, ENTRY_ANNOTATION) === name;

/** Whether a pod with a node has to be added to the users of a claim. */
export const needsReservation = ({ status = {} }: ResourceClaim, { metadata }: Pod): boolean =>
  status.allocation !== undefined &&
  (status.reservedFor?.length ?? 0) < MOST_USERS &&
  !(status.reservedFor ?? []).some(({ uid }) => uid === metadata?.uid);

/** A claim with a pod as another user. */
export const reservedFor = (claim: ResourceClaim, { metadata }: Pod): ResourceClaim => ({
  ...claim,
  status: {
    ...claim.status,
    reservedFor: [
      ...(claim.status?.reservedFor ?? []),
      { resource: 'pods', name: metadata?.name ?? '', uid: metadata?.uid ?? '' },
    ],
  },
});

/**
 * The claim of a template for an entry of a pod, which controls it.
 * @param allowsAdminAccess requests may use devices that others have
 * @throws Error if the claim asks for what is not allowed
 */
export function claimOfTemplate(
  pod: Pod,
  { name: entry = '' }: PodResourceClaim,
  { spec: template = {} }: ResourceClaimTemplate,
  allowsAdminAccess: boolean,
): ResourceClaim {
  const { metadata, spec } = template;
  if (
    !allowsAdminAccess &&
    spec?.devices?.requests?.some((declared) =>
      requestAlternatives(declared).some(({ request }) => request.adminAccess === true),
    )
  )
    throw new Error('admin access is requested, but the feature is disabled');
  const { name = '', namespace = '' } = pod.metadata ?? {};
  return {
    metadata: {
      generateName: prefixOf(name, entry),
      namespace,
      ...(metadata?.labels && { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, [ENTRY_ANNOTATION]: entry },
      ownerReferences: [controllerReference({ resource: PODS, object: pod })],
    },
    ...(spec && { spec }),
  };
}

/** Both names; if they are too long, as much of each as its share allows. */
function prefixOf(pod: string, entry: string): string {
  const whole = `${pod}-${entry}-`;
  if (whole.length <= LONGEST_PREFIX) return whole;
  const podPart = pod.slice(0, Math.floor((pod.length * LONGEST_PREFIX) / whole.length));
  const entryPart = entry.slice(0, Math.floor((entry.length * LONGEST_PREFIX) / whole.length));
  return `${podPart}-${entryPart}`;
}
