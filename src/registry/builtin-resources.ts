import { type ResourceRow, resource } from './resource-row.ts';

/**
 * Groups in discovery order with their versions, the preferred one first. The core group is separate, at
 * `/api`.
 */
export const BUILTIN_GROUPS: readonly { readonly group: string; readonly versions: readonly string[] }[] = [
  { group: 'apiregistration.k8s.io', versions: ['v1'] },
  { group: 'apps', versions: ['v1'] },
  { group: 'events.k8s.io', versions: ['v1'] },
  { group: 'authentication.k8s.io', versions: ['v1', 'v1beta1'] },
  { group: 'authorization.k8s.io', versions: ['v1'] },
  { group: 'autoscaling', versions: ['v2', 'v1'] },
  { group: 'batch', versions: ['v1'] },
  { group: 'certificates.k8s.io', versions: ['v1', 'v1alpha1'] },
  { group: 'networking.k8s.io', versions: ['v1', 'v1beta1'] },
  { group: 'policy', versions: ['v1'] },
  { group: 'rbac.authorization.k8s.io', versions: ['v1'] },
  { group: 'storage.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  { group: 'admissionregistration.k8s.io', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  { group: 'apiextensions.k8s.io', versions: ['v1'] },
  { group: 'scheduling.k8s.io', versions: ['v1'] },
  { group: 'coordination.k8s.io', versions: ['v1', 'v1alpha2'] },
  { group: 'node.k8s.io', versions: ['v1'] },
  { group: 'discovery.k8s.io', versions: ['v1'] },
  { group: 'resource.k8s.io', versions: ['v1beta1', 'v1alpha3'] },
  { group: 'flowcontrol.apiserver.k8s.io', versions: ['v1'] },
  { group: 'internal.apiserver.k8s.io', versions: ['v1alpha1'] },
  { group: 'storagemigration.k8s.io', versions: ['v1alpha1'] },
];

/** All built-in resources. Discovery, routing, RBAC and storage derive from this table. */
export const BUILTIN_RESOURCES = [
  resource('', 'v1', 'bindings', 'Binding', { verbs: ['create'] }),
  resource('', 'v1', 'componentstatuses', 'ComponentStatus', {
    shortNames: ['cs'],
    deprecationWarning: 'v1 ComponentStatus is deprecated in v1.19+',
    cluster: true,
    verbs: ['get', 'list'],
  }),
  resource('', 'v1', 'configmaps', 'ConfigMap', { shortNames: ['cm'] }),
  resource('', 'v1', 'endpoints', 'Endpoints', { shortNames: ['ep'], prefix: 'services/endpoints' }),
  resource('', 'v1', 'events', 'Event', {
    shortNames: ['ev'],
    fieldSelectors: [
      'involvedObject.kind',
      'involvedObject.namespace',
      'involvedObject.name',
      'involvedObject.uid',
      'involvedObject.apiVersion',
      'involvedObject.resourceVersion',
      'involvedObject.fieldPath',
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  }),
  resource('', 'v1', 'limitranges', 'LimitRange', { shortNames: ['limits'] }),
  resource('', 'v1', 'namespaces', 'Namespace', {
    shortNames: ['ns'],
    cluster: true,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    fieldSelectors: ['status.phase'],
    subresources: [{ name: 'finalize', verbs: ['update'] }, 'status'],
  }),
  resource('', 'v1', 'nodes', 'Node', {
    shortNames: ['no'],
    cluster: true,
    prefix: 'minions',
    fieldSelectors: ['spec.unschedulable'],
    subresources: [
      { name: 'proxy', kind: 'NodeProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
      'status',
    ],
  }),
  resource('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
    shortNames: ['pvc'],
    subresources: ['status'],
  }),
  resource('', 'v1', 'persistentvolumes', 'PersistentVolume', {
    shortNames: ['pv'],
    cluster: true,
    subresources: ['status'],
  }),
  resource('', 'v1', 'pods', 'Pod', {
    shortNames: ['po'],
    categories: ['all'],
    fieldSelectors: [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
      'spec.host',
    ],
    subresources: [
      { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'] },
      { name: 'binding', kind: 'Binding', verbs: ['create'] },
      'ephemeralcontainers',
      { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
      { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] },
      { name: 'log', verbs: ['get'] },
      { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
      { name: 'proxy', kind: 'PodProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
      'status',
    ],
  }),
  resource('', 'v1', 'podtemplates', 'PodTemplate'),
  resource('', 'v1', 'replicationcontrollers', 'ReplicationController', {
    shortNames: ['rc'],
    categories: ['all'],
    prefix: 'controllers',
    fieldSelectors: ['status.replicas'],
    subresources: [
      {
        name: 'scale',
        kind: 'Scale',
        group: 'autoscaling',
        version: 'v1',
        verbs: ['get', 'patch', 'update'],
      },
      'status',
    ],
  }),
  resource('', 'v1', 'resourcequotas', 'ResourceQuota', { shortNames: ['quota'], subresources: ['status'] }),
  resource('', 'v1', 'secrets', 'Secret', { fieldSelectors: ['type'] }),
  resource('', 'v1', 'serviceaccounts', 'ServiceAccount', {
    shortNames: ['sa'],
    subresources: [
      {
        name: 'token',
        kind: 'TokenRequest',
        group: 'authentication.k8s.io',
        version: 'v1',
        verbs: ['create'],
      },
    ],
  }),
  resource('', 'v1', 'services', 'Service', {
    shortNames: ['svc'],
    categories: ['all'],
    prefix: 'services/specs',
    fieldSelectors: ['spec.clusterIP', 'spec.type'],
    subresources: [
      { name: 'proxy', kind: 'ServiceProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
      'status',
    ],
  }),
  resource('apiregistration.k8s.io', 'v1', 'apiservices', 'APIService', {
    categories: ['api-extensions'],
    cluster: true,
    prefix: 'apiregistration.k8s.io/apiservices',
    encoding: 'json',
    subresources: ['status'],
  }),
  resource('apps', 'v1', 'controllerrevisions', 'ControllerRevision'),
  resource('apps', 'v1', 'daemonsets', 'DaemonSet', {
    shortNames: ['ds'],
    categories: ['all'],
    subresources: ['status'],
  }),
  resource('apps', 'v1', 'deployments', 'Deployment', {
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: [
      {
        name: 'scale',
        kind: 'Scale',
        group: 'autoscaling',
        version: 'v1',
        verbs: ['get', 'patch', 'update'],
      },
      'status',
    ],
  }),
  resource('apps', 'v1', 'replicasets', 'ReplicaSet', {
    shortNames: ['rs'],
    categories: ['all'],
    subresources: [
      {
        name: 'scale',
        kind: 'Scale',
        group: 'autoscaling',
        version: 'v1',
        verbs: ['get', 'patch', 'update'],
      },
      'status',
    ],
  }),
  resource('apps', 'v1', 'statefulsets', 'StatefulSet', {
    shortNames: ['sts'],
    categories: ['all'],
    subresources: [
      {
        name: 'scale',
        kind: 'Scale',
        group: 'autoscaling',
        version: 'v1',
        verbs: ['get', 'patch', 'update'],
      },
      'status',
    ],
  }),
  resource('events.k8s.io', 'v1', 'events', 'Event', {
    shortNames: ['ev'],
    storage: 'v1',
    fieldSelectors: [
      'reason',
      'type',
      'regarding.kind',
      'regarding.namespace',
      'regarding.name',
      'regarding.uid',
      'regarding.apiVersion',
      'regarding.resourceVersion',
      'regarding.fieldPath',
      'reportingController',
    ],
  }),
  resource('authentication.k8s.io', 'v1', 'selfsubjectreviews', 'SelfSubjectReview', {
    cluster: true,
    verbs: ['create'],
  }),
  resource('authentication.k8s.io', 'v1', 'tokenreviews', 'TokenReview', {
    cluster: true,
    verbs: ['create'],
  }),
  resource('authorization.k8s.io', 'v1', 'localsubjectaccessreviews', 'LocalSubjectAccessReview', {
    verbs: ['create'],
  }),
  resource('authorization.k8s.io', 'v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', {
    cluster: true,
    verbs: ['create'],
  }),
  resource('authorization.k8s.io', 'v1', 'selfsubjectrulesreviews', 'SelfSubjectRulesReview', {
    cluster: true,
    verbs: ['create'],
  }),
  resource('authorization.k8s.io', 'v1', 'subjectaccessreviews', 'SubjectAccessReview', {
    cluster: true,
    verbs: ['create'],
  }),
  resource('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: ['status'],
  }),
  resource('autoscaling', 'v1', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    shortNames: ['hpa'],
    categories: ['all'],
    storage: 'autoscaling/v2',
    subresources: ['status'],
  }),
  resource('batch', 'v1', 'cronjobs', 'CronJob', {
    shortNames: ['cj'],
    categories: ['all'],
    subresources: ['status'],
  }),
  resource('batch', 'v1', 'jobs', 'Job', {
    categories: ['all'],
    fieldSelectors: ['status.successful'],
    subresources: ['status'],
  }),
  resource('certificates.k8s.io', 'v1', 'certificatesigningrequests', 'CertificateSigningRequest', {
    shortNames: ['csr'],
    cluster: true,
    fieldSelectors: ['spec.signerName'],
    subresources: ['approval', 'status'],
  }),
  resource('networking.k8s.io', 'v1', 'ingressclasses', 'IngressClass', { cluster: true }),
  resource('networking.k8s.io', 'v1', 'ingresses', 'Ingress', {
    shortNames: ['ing'],
    prefix: 'ingress',
    subresources: ['status'],
  }),
  resource('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', { shortNames: ['netpol'] }),
  resource('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', {
    shortNames: ['pdb'],
    subresources: ['status'],
  }),
  resource('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding', { cluster: true }),
  resource('rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole', { cluster: true }),
  resource('rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding'),
  resource('rbac.authorization.k8s.io', 'v1', 'roles', 'Role'),
  resource('storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver', { cluster: true }),
  resource('storage.k8s.io', 'v1', 'csinodes', 'CSINode', { cluster: true }),
  resource('storage.k8s.io', 'v1', 'csistoragecapacities', 'CSIStorageCapacity'),
  resource('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', { shortNames: ['sc'], cluster: true }),
  resource('storage.k8s.io', 'v1', 'volumeattachments', 'VolumeAttachment', {
    cluster: true,
    subresources: ['status'],
  }),
  resource(
    'admissionregistration.k8s.io',
    'v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    {
      categories: ['api-extensions'],
      cluster: true,
    },
  ),
  resource('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
    categories: ['api-extensions'],
    cluster: true,
    subresources: ['status'],
  }),
  resource(
    'admissionregistration.k8s.io',
    'v1',
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    {
      categories: ['api-extensions'],
      cluster: true,
    },
  ),
  resource(
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    {
      categories: ['api-extensions'],
      cluster: true,
    },
  ),
  resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', {
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    cluster: true,
    storage: 'apiextensions.k8s.io/v1beta1',
    prefix: 'apiextensions.k8s.io/customresourcedefinitions',
    encoding: 'json',
    subresources: ['status'],
  }),
  resource('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', {
    shortNames: ['pc'],
    cluster: true,
  }),
  resource('coordination.k8s.io', 'v1', 'leases', 'Lease'),
  resource('node.k8s.io', 'v1', 'runtimeclasses', 'RuntimeClass', { cluster: true }),
  resource('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice'),
  resource('flowcontrol.apiserver.k8s.io', 'v1', 'flowschemas', 'FlowSchema', {
    cluster: true,
    subresources: ['status'],
  }),
  resource(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    { cluster: true, subresources: ['status'] },
  ),
  resource('authentication.k8s.io', 'v1beta1', 'selfsubjectreviews', 'SelfSubjectReview', {
    deprecationWarning:
      'authentication.k8s.io/v1beta1 SelfSubjectReview is deprecated in v1.30+, unavailable in v1.33+',
    cluster: true,
    verbs: ['create'],
    optional: true,
  }),
  resource('certificates.k8s.io', 'v1alpha1', 'clustertrustbundles', 'ClusterTrustBundle', {
    cluster: true,
    optional: true,
    fieldSelectors: ['spec.signerName'],
  }),
  resource('networking.k8s.io', 'v1beta1', 'ipaddresses', 'IPAddress', {
    shortNames: ['ip'],
    cluster: true,
    optional: true,
  }),
  resource('networking.k8s.io', 'v1beta1', 'servicecidrs', 'ServiceCIDR', {
    cluster: true,
    optional: true,
    subresources: ['status'],
  }),
  resource('storage.k8s.io', 'v1beta1', 'volumeattributesclasses', 'VolumeAttributesClass', {
    shortNames: ['vac'],
    cluster: true,
    optional: true,
  }),
  resource('storage.k8s.io', 'v1alpha1', 'volumeattributesclasses', 'VolumeAttributesClass', {
    deprecationWarning:
      'storage.k8s.io/v1alpha1 VolumeAttributesClass is deprecated in v1.32+, unavailable in v1.35+',
    shortNames: ['vac'],
    cluster: true,
    storage: 'storage.k8s.io/v1beta1',
    optional: true,
  }),
  resource(
    'admissionregistration.k8s.io',
    'v1beta1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    {
      deprecationWarning:
        'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy is deprecated in v1.31+, unavailable in v1.34+',
      categories: ['api-extensions'],
      cluster: true,
      storage: 'admissionregistration.k8s.io/v1',
      optional: true,
      subresources: ['status'],
    },
  ),
  resource(
    'admissionregistration.k8s.io',
    'v1beta1',
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    {
      deprecationWarning:
        'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding is deprecated in v1.31+, unavailable in v1.34+',
      categories: ['api-extensions'],
      cluster: true,
      storage: 'admissionregistration.k8s.io/v1',
      optional: true,
    },
  ),
  resource(
    'admissionregistration.k8s.io',
    'v1alpha1',
    'mutatingadmissionpolicies',
    'MutatingAdmissionPolicy',
    {
      categories: ['api-extensions'],
      cluster: true,
      optional: true,
    },
  ),
  resource(
    'admissionregistration.k8s.io',
    'v1alpha1',
    'mutatingadmissionpolicybindings',
    'MutatingAdmissionPolicyBinding',
    {
      categories: ['api-extensions'],
      cluster: true,
      optional: true,
    },
  ),
  resource('coordination.k8s.io', 'v1alpha2', 'leasecandidates', 'LeaseCandidate', { optional: true }),
  resource('resource.k8s.io', 'v1beta1', 'deviceclasses', 'DeviceClass', { cluster: true, optional: true }),
  resource('resource.k8s.io', 'v1beta1', 'resourceclaims', 'ResourceClaim', {
    optional: true,
    subresources: ['status'],
  }),
  resource('resource.k8s.io', 'v1beta1', 'resourceclaimtemplates', 'ResourceClaimTemplate', {
    optional: true,
  }),
  resource('resource.k8s.io', 'v1beta1', 'resourceslices', 'ResourceSlice', {
    cluster: true,
    optional: true,
    fieldSelectors: ['spec.nodeName', 'spec.driver'],
  }),
  resource('resource.k8s.io', 'v1alpha3', 'deviceclasses', 'DeviceClass', {
    cluster: true,
    storage: 'resource.k8s.io/v1beta1',
    optional: true,
  }),
  resource('resource.k8s.io', 'v1alpha3', 'resourceclaims', 'ResourceClaim', {
    storage: 'resource.k8s.io/v1beta1',
    optional: true,
    subresources: ['status'],
  }),
  resource('resource.k8s.io', 'v1alpha3', 'resourceclaimtemplates', 'ResourceClaimTemplate', {
    storage: 'resource.k8s.io/v1beta1',
    optional: true,
  }),
  resource('resource.k8s.io', 'v1alpha3', 'resourceslices', 'ResourceSlice', {
    cluster: true,
    storage: 'resource.k8s.io/v1beta1',
    optional: true,
    fieldSelectors: ['spec.nodeName', 'spec.driver'],
  }),
  resource('internal.apiserver.k8s.io', 'v1alpha1', 'storageversions', 'StorageVersion', {
    cluster: true,
    optional: true,
    subresources: ['status'],
  }),
  resource('storagemigration.k8s.io', 'v1alpha1', 'storageversionmigrations', 'StorageVersionMigration', {
    cluster: true,
    optional: true,
    subresources: ['status'],
  }),
];

/** Returns whether a built-in resource is served. */
export type ServedPredicate = (row: ResourceRow) => boolean;

/** Returns the served built-in resources; default: all that are not optional. */
export function builtinResources(isServed: ServedPredicate = ({ optional }) => !optional): ResourceRow[] {
  return BUILTIN_RESOURCES.filter(isServed);
}
