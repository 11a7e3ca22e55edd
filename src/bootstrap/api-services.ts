import { apiVersionOf, type KubernetesObject } from '../model/object.ts';
import type { ResourceSet } from '../resources/resource-set.ts';

/** Priorities of groups; they determine the order of groups in aggregated discovery. */
const GROUP_PRIORITIES: Readonly<Record<string, number>> = {
  '': 18000,
  apps: 17800,
  'events.k8s.io': 17750,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'networking.k8s.io': 17200,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'storage.k8s.io': 16800,
  'apiextensions.k8s.io': 16700,
  'admissionregistration.k8s.io': 16700,
  'scheduling.k8s.io': 16600,
  'coordination.k8s.io': 16500,
  'node.k8s.io': 16300,
  'discovery.k8s.io': 16200,
  'flowcontrol.apiserver.k8s.io': 16100,
  'internal.apiserver.k8s.io': 16000,
  'resource.k8s.io': 16200,
  'storagemigration.k8s.io': 15800,
  'lifecycle.k8s.io': 15700,
};
const STABLE_PRIORITY = 15;
/** Priorities of versions that differ from the priority of their stability level. */
const VERSION_PRIORITIES: Readonly<Record<string, number>> = {
  v1: 1,
  'admissionregistration.k8s.io/v1beta1': 12,
  'admissionregistration.k8s.io/v1alpha1': 9,
  'autoscaling/v2': 30,
  'coordination.k8s.io/v1beta1': 13,
  'coordination.k8s.io/v1alpha2': 12,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'internal.apiserver.k8s.io/v1alpha1': 9,
  'resource.k8s.io/v1': 21,
  'resource.k8s.io/v1beta2': 15,
  'scheduling.k8s.io/v1alpha2': 2,
  'scheduling.k8s.io/v1alpha3': 3,
  'storagemigration.k8s.io/v1alpha1': 9,
};

/** Returns a local, available APIService for each group version that this server serves. */
export function bootstrapApiServices(catalog: ResourceSet, now: string): KubernetesObject[] {
  const groups = [{ group: '', versions: ['v1'] }, ...catalog.groups].filter(
    ({ group }) => group !== 'apiregistration.k8s.io',
  );
  return groups.flatMap(({ group, versions }) =>
    versions.map((version) => ({
      metadata: {
        name: `${version}.${group}`,
        labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' },
      },
      spec: {
        ...(group === '' ? {} : { group }),
        version,
        groupPriorityMinimum: GROUP_PRIORITIES[group] ?? 1000,
        versionPriority: versionPriority(group, version),
      },
      status: {
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: now,
            reason: 'Local',
            message: 'Local APIServices are always available',
          },
        ],
      },
    })),
  );
}

/** The priorities of definitions. */
const CUSTOM_PRIORITIES = { groupPriorityMinimum: 1000, versionPriority: 100 };

/** The priorities with which this server registers a version of its own or of a definition. */
export function defaultPriorities(group: string, version: string): typeof CUSTOM_PRIORITIES {
  const groupPriorityMinimum = Object.hasOwn(GROUP_PRIORITIES, group) ? GROUP_PRIORITIES[group] : undefined;
  return groupPriorityMinimum === undefined
    ? CUSTOM_PRIORITIES
    : { groupPriorityMinimum, versionPriority: versionPriority(group, version) };
}

function versionPriority(group: string, version: string): number {
  const known = VERSION_PRIORITIES[apiVersionOf(group, version)];
  if (known !== undefined) return known;
  return version.includes('alpha') ? 1 : version.includes('beta') ? 9 : STABLE_PRIORITY;
}
