import type { LabelSelector } from '../../model/generated/meta-v1.ts';
import { equalities, type LabelRequirement } from '../../model/label-selector.ts';
import { type LabelMatcher, type Labels, labelOf, matcherOf, requirementsOf } from './label-matcher.ts';
import type { PendingPod } from './pending-pod.ts';

/** Selectors of what owns pods or sends traffic to them. */
export interface OwnerView {
  /** Selectors of the services of a namespace that have one. */
  serviceSelectors(namespace: string): Iterable<Labels>;
  replicationController(namespace: string, name: string): Labels | undefined;
  replicaSet(namespace: string, name: string): LabelSelector | undefined;
  statefulSet(namespace: string, name: string): LabelSelector | undefined;
}

/**
 * Matches the pods that belong together with a pod: those of all its services and of its controller. It is empty for
 * a pod that has none of these.
 */
export function ownerSelector({ info, controller }: PendingPod, owners: OwnerView): LabelMatcher {
  const { namespace, labels } = info;
  const merged: Record<string, string> = {};
  for (const selector of owners.serviceSelectors(namespace))
    if (Object.entries(selector).every(([key, value]) => labelOf(labels, key) === value))
      Object.assign(merged, selector);
  const { apiVersion, kind, name = '' } = controller ?? {};
  const further: LabelRequirement[] = [];
  if (apiVersion === 'v1' && kind === 'ReplicationController')
    Object.assign(merged, owners.replicationController(namespace, name));
  else if (apiVersion === 'apps/v1' && kind === 'ReplicaSet')
    further.push(...requirementsFrom(owners.replicaSet(namespace, name)));
  else if (apiVersion === 'apps/v1' && kind === 'StatefulSet')
    further.push(...requirementsFrom(owners.statefulSet(namespace, name)));
  return matcherOf([...equalities(merged), ...further]);
}

const requirementsFrom = (selector: LabelSelector | undefined): readonly LabelRequirement[] =>
  (selector && requirementsOf(selector)) ?? [];
