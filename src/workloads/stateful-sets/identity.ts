import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import { isReady } from '../../reconcile/pods/pod-state.ts';

export const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
export const INDEX_LABEL = 'apps.kubernetes.io/pod-index';
export const REVISION_LABEL = 'controller-revision-hash';

const MAXIMUM_INT32 = 2 ** 31 - 1;

const nameOf = ({ metadata }: Pod | StatefulSet): string => metadata?.name ?? '';

/** The name of a Pod, divided at its last hyphen if digits follow; undefined if none do. */
function divided(pod: Pod): { readonly set: string; readonly ordinal: number } | undefined {
  const name = nameOf(pod);
  const hyphen = name.lastIndexOf('-');
  const digits = name.slice(hyphen + 1);
  if (hyphen < 0 || !/^\d+$/.test(digits)) return undefined;
  const ordinal = Number(digits);
  return { set: name.slice(0, hyphen), ordinal: ordinal > MAXIMUM_INT32 ? -1 : ordinal };
}

/** The ordinal in the name of a Pod; -1 if it has none. */
export const ordinalOf = (pod: Pod): number => divided(pod)?.ordinal ?? -1;

/** Whether a Pod has a name that a set gives. */
export const isMember = (set: StatefulSet, pod: Pod): boolean => divided(pod)?.set === nameOf(set);

export const podName = (set: StatefulSet, ordinal: number): string => `${nameOf(set)}-${ordinal}`;

/** The name of the claim that the Pod of an ordinal has by a template. */
export const claimName = (set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string =>
  `${template.metadata?.name ?? ''}-${nameOf(set)}-${ordinal}`;

export const firstOrdinal = ({ spec }: StatefulSet): number => spec?.ordinals?.start ?? 0;

export const replicasOf = ({ spec }: StatefulSet): number => spec?.replicas ?? 1;

/** Whether a set wants the Pod of an ordinal. */
export function wantsOrdinal(set: StatefulSet, ordinal: number): boolean {
  const first = firstOrdinal(set);
  return ordinal >= first && ordinal < first + replicasOf(set);
}

/** The name of the revision that a Pod was made from. */
export function revisionOf({ metadata }: Pod): string {
  const { labels = {} } = metadata ?? {};
  return Object.hasOwn(labels, REVISION_LABEL) ? labels[REVISION_LABEL]! : '';
}

/** Whether Pods are created and deleted one after the other, in the order of ordinals. */
export const isOrdered = ({ spec }: StatefulSet): boolean => spec?.podManagementPolicy !== 'Parallel';

export const isTerminating = ({ metadata }: Pod): boolean => metadata?.deletionTimestamp !== undefined;

export const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === 'Running' && isReady(pod);

export const isHealthy = (pod: Pod): boolean => isRunningAndReady(pod) && !isTerminating(pod);
