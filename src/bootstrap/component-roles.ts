import { allow, type Condition, inCase, type RoleDeclaration, role } from './declarations.ts';

const DEVICES: Condition = { gate: 'DynamicResourceAllocation' };

/** Roles of the other cluster components. */
export const COMPONENT_ROLES: readonly RoleDeclaration[] = [
  role('system:heapster', [
    allow('get list watch', 'core', 'events namespaces nodes pods'),
    allow('get list watch', 'extensions', 'deployments'),
  ]),
  role('system:kube-aggregator', [allow('get list watch', 'core', 'endpoints services')]),
  role('system:kube-controller-manager', [
    allow('create patch update', 'core events.k8s.io', 'events'),
    allow('create', 'coordination.k8s.io', 'leases'),
    allow('get update', 'coordination.k8s.io', 'leases', 'kube-controller-manager'),
    allow('create', 'core', 'secrets serviceaccounts'),
    allow('delete', 'core', 'secrets'),
    allow('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
    allow('update', 'core', 'secrets serviceaccounts'),
    allow('create', 'authentication.k8s.io', 'tokenreviews'),
    allow('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    allow('list watch', '*', '*'),
    allow('create', 'core', 'serviceaccounts/token'),
  ]),
  role('system:kube-dns', [allow('list watch', 'core', 'endpoints services')]),
  role('system:kube-scheduler', [
    allow('create patch update', 'core events.k8s.io', 'events'),
    allow('create', 'coordination.k8s.io', 'leases'),
    allow('get list update watch', 'coordination.k8s.io', 'leases', 'kube-scheduler'),
    allow(
      'create delete deletecollection get list patch update watch',
      'coordination.k8s.io',
      'leasecandidates',
    ),
    allow('get list watch', 'core', 'nodes'),
    allow('delete get list watch', 'core', 'pods'),
    allow('create', 'core', 'bindings pods/binding'),
    allow('patch update', 'core', 'pods/status'),
    allow('get list watch', 'core', 'replicationcontrollers services'),
    allow('get list watch', 'apps extensions', 'replicasets'),
    allow('get list watch', 'apps', 'statefulsets'),
    allow('get list watch', 'policy', 'poddisruptionbudgets'),
    allow('get list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
    allow('create', 'authentication.k8s.io', 'tokenreviews'),
    allow('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    allow('get list watch', 'storage.k8s.io', 'csinodes'),
    allow('get list watch', 'storage.k8s.io', 'volumeattachments'),
    allow('get list watch', 'core', 'namespaces'),
    allow('get list watch', 'storage.k8s.io', 'csidrivers'),
    allow('get list watch', 'storage.k8s.io', 'csistoragecapacities'),
    inCase(DEVICES, allow('get list watch', 'resource.k8s.io', 'deviceclasses')),
    inCase(DEVICES, allow('get list patch update watch', 'resource.k8s.io', 'resourceclaims')),
    inCase(DEVICES, allow('get list patch update watch', 'resource.k8s.io', 'resourceclaims/status')),
    inCase({ ...DEVICES, until: '1.34' }, allow('get list patch update watch', 'core', 'pods/finalizers')),
    inCase({ ...DEVICES, since: '1.34' }, allow('update', 'core', 'pods/finalizers')),
    inCase(DEVICES, allow('get list watch', 'resource.k8s.io', 'resourceslices')),
    inCase({ gate: 'DRAExtendedResource' }, allow('create delete', 'resource.k8s.io', 'resourceclaims')),
    inCase(
      { gate: 'DRADeviceTaints', until: '1.35' },
      allow('get list watch', 'resource.k8s.io', 'devicetaintrules'),
    ),
    inCase({ gate: 'DRADeviceTaintRules' }, allow('get list watch', 'resource.k8s.io', 'devicetaintrules')),
    inCase(
      { gate: 'DRAResourceClaimGranularStatusAuthorization' },
      allow('patch update', 'resource.k8s.io', 'resourceclaims/binding'),
    ),
    inCase(
      { gate: 'GenericWorkload', until: '1.36' },
      allow('get list watch', 'scheduling.k8s.io', 'workloads'),
    ),
    inCase(
      { gate: 'GenericWorkload', since: '1.36' },
      allow('get list watch', 'scheduling.k8s.io', 'podgroups'),
    ),
    inCase(
      { gate: 'GenericWorkload', since: '1.36' },
      allow('patch update', 'scheduling.k8s.io', 'podgroups/status'),
    ),
    inCase({ gate: 'CompositePodGroup' }, allow('get list watch', 'scheduling.k8s.io', 'compositepodgroups')),
    inCase(
      { gate: 'CompositePodGroup' },
      allow('patch update', 'scheduling.k8s.io', 'compositepodgroups/status'),
    ),
  ]),
  role('system:persistent-volume-provisioner', [
    allow('create delete get list watch', 'core', 'persistentvolumes'),
    allow('get list update watch', 'core', 'persistentvolumeclaims'),
    allow('get list watch', 'storage.k8s.io', 'storageclasses'),
    allow('watch', 'core', 'events'),
    allow('create patch update', 'core events.k8s.io', 'events'),
  ]),
  role('system:volume-scheduler', [
    allow('get list patch update watch', 'core', 'persistentvolumes'),
    allow('get list watch', 'storage.k8s.io', 'storageclasses'),
    allow('get list patch update watch', 'core', 'persistentvolumeclaims'),
  ]),
];
