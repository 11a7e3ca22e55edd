/**
 * Versions of built-in kinds that a server of this release decodes but does not serve, by group version. A
 * body in one of them is rejected only for its version.
 */
const READ_ONLY: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io/v1beta1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apiextensions.k8s.io/v1beta1': ['CustomResourceDefinition'],
  'apiregistration.k8s.io/v1beta1': ['APIService'],
  'apps/v1beta1': ['ControllerRevision', 'Deployment', 'StatefulSet'],
  'apps/v1beta2': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'authentication.k8s.io/v1beta1': ['TokenReview'],
  'authorization.k8s.io/v1beta1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
  'autoscaling/v2beta1': ['HorizontalPodAutoscaler'],
  'autoscaling/v2beta2': ['HorizontalPodAutoscaler'],
  'batch/v1beta1': ['CronJob'],
  'certificates.k8s.io/v1beta1': ['CertificateSigningRequest'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'events.k8s.io/v1beta1': ['Event'],
  'extensions/v1beta1': ['DaemonSet', 'Deployment', 'Ingress', 'NetworkPolicy', 'ReplicaSet'],
  'flowcontrol.apiserver.k8s.io/v1beta1': ['FlowSchema', 'PriorityLevelConfiguration'],
  'flowcontrol.apiserver.k8s.io/v1beta2': ['FlowSchema', 'PriorityLevelConfiguration'],
  'flowcontrol.apiserver.k8s.io/v1beta3': ['FlowSchema', 'PriorityLevelConfiguration'],
  'networking.k8s.io/v1beta1': ['Ingress', 'IngressClass'],
  'node.k8s.io/v1alpha1': ['RuntimeClass'],
  'node.k8s.io/v1beta1': ['RuntimeClass'],
  'policy/v1beta1': ['Eviction', 'PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1alpha1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'rbac.authorization.k8s.io/v1beta1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'scheduling.k8s.io/v1alpha1': ['PriorityClass'],
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
  'storage.k8s.io/v1alpha1': ['CSIStorageCapacity', 'VolumeAttachment'],
  'storage.k8s.io/v1beta1': [
    'CSIDriver',
    'CSINode',
    'CSIStorageCapacity',
    'StorageClass',
    'VolumeAttachment',
  ],
};

/** Kinds that moved to another group or are served in two groups, with their canonical group. */
const MOVED_KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  extensions: {
    DaemonSet: 'apps',
    Deployment: 'apps',
    ReplicaSet: 'apps',
    Ingress: 'networking.k8s.io',
    NetworkPolicy: 'networking.k8s.io',
  },
  'events.k8s.io': { Event: '' },
};

/** Whether a kind can be decoded in a group version that is not served. */
export function isReadOnlyKind(apiVersion: string, kind: string): boolean {
  return Object.hasOwn(READ_ONLY, apiVersion) && READ_ONLY[apiVersion]!.includes(kind);
}

/** The canonical group of a kind, for any group that it can be written in. */
export function canonicalGroup(group: string, kind: string): string {
  const moved = Object.hasOwn(MOVED_KINDS, group) ? MOVED_KINDS[group]! : {};
  return Object.hasOwn(moved, kind) ? moved[kind]! : group;
}
