// A small valid object of each built-in kind, without its metadata; kinds that are missing need no more than
// a name.
const selector = { matchLabels: { a: 'b' } };
const container = { name: 'a', image: 'a' };
const pod = { containers: [container] };
const template = { metadata: { labels: { a: 'b' } }, spec: pod };
const restarted = { spec: { ...pod, restartPolicy: 'Never' } };
const storage = { requests: { storage: '1Gi' } };
const claim = { accessModes: ['ReadWriteOnce'], resources: storage };
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' };
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const webhook = {
  name: 'a.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { url: 'https://example.com' },
};
const constraints = { resourceRules: [rule] };
const scaled = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
const time = '2026-01-01T00:00:00.000000Z';
const device = { name: 'a', basic: {} };
const slice = { driver: 'a.example.com', nodeName: 'a', pool: { name: 'a', resourceSliceCount: 1 } };

export const BASES = {
  APIService: {
    metadata: { name: 'v1.example.com' },
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  },
  Binding: { target: { name: 'a' } },
  CSIDriver: { spec: {} },
  CSINode: { spec: { drivers: [{ name: 'a', nodeID: 'a' }] } },
  CSIStorageCapacity: { storageClassName: 'a' },
  CertificateSigningRequest: { spec: { signerName: 'example.com/a', request: 'YQ==', usages: ['any'] } },
  ClusterRole: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  ClusterRoleBinding: { roleRef: role, subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'a' }] },
  ClusterTrustBundle: { spec: { trustBundle: 'a' } },
  ControllerRevision: { revision: 1, data: {} },
  CronJob: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: restarted } } } },
  CustomResourceDefinition: {
    metadata: { name: 'as.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'as', kind: 'A' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  },
  DaemonSet: { spec: { selector, template } },
  Deployment: { spec: { selector, template } },
  DeviceClass: { spec: {} },
  EndpointSlice: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] },
  Event: {
    involvedObject: { namespace: 'default' },
    regarding: { namespace: 'default' },
    eventTime: time,
    reportingComponent: 'a.example.com/a',
    reportingController: 'a.example.com/a',
    reportingInstance: 'a',
    action: 'a',
    reason: 'a',
    type: 'Normal',
  },
  FlowSchema: { spec: { priorityLevelConfiguration: { name: 'a' }, matchingPrecedence: 1 } },
  HorizontalPodAutoscaler: { spec: { scaleTargetRef: scaled, maxReplicas: 1 } },
  IPAddress: {
    metadata: { name: '10.1.2.3' },
    spec: { parentRef: { resource: 'services', name: 'a', namespace: 'a' } },
  },
  Ingress: { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
  IngressClass: { spec: { controller: 'example.com/a' } },
  Job: { spec: { template: restarted } },
  LeaseCandidate: {
    spec: {
      leaseName: 'a',
      binaryVersion: '1.0.0',
      emulationVersion: '1.0.0',
      strategy: 'OldestEmulationVersion',
    },
  },
  LimitRange: { spec: { limits: [{ type: 'Pod' }] } },
  LocalSubjectAccessReview: {
    metadata: { namespace: 'default' },
    spec: { user: 'a', resourceAttributes: { namespace: 'default', resource: 'pods', verb: 'get' } },
  },
  MutatingAdmissionPolicy: {
    spec: {
      matchConstraints: constraints,
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[]' } }],
    },
  },
  MutatingAdmissionPolicyBinding: { spec: { policyName: 'a' } },
  MutatingWebhookConfiguration: { webhooks: [webhook] },
  NetworkPolicy: { spec: { podSelector: {} } },
  PersistentVolume: {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
  },
  PersistentVolumeClaim: { spec: claim },
  Pod: { spec: pod },
  PodDisruptionBudget: { spec: { selector } },
  PodTemplate: { template },
  PriorityClass: { value: 1 },
  PriorityLevelConfiguration: {
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
    },
  },
  ReplicaSet: { spec: { selector, template } },
  ReplicationController: { spec: { selector: { a: 'b' }, template } },
  ResourceClaim: { spec: { devices: { requests: [{ name: 'a', deviceClassName: 'a' }] } } },
  ResourceClaimTemplate: {
    spec: { spec: { devices: { requests: [{ name: 'a', deviceClassName: 'a' }] } } },
  },
  ResourceQuota: { spec: { hard: { pods: '1' } } },
  ResourceSlice: { spec: { ...slice, devices: [device] } },
  RoleBinding: { roleRef: role, subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'a' }] },
  RuntimeClass: { handler: 'a' },
  SelfSubjectAccessReview: { spec: { resourceAttributes: { resource: 'pods', verb: 'get' } } },
  SelfSubjectRulesReview: { spec: { namespace: 'default' } },
  Service: { spec: { ports: [{ port: 80 }] } },
  ServiceCIDR: { spec: { cidrs: ['10.2.0.0/16'] } },
  StatefulSet: { spec: { selector, template, serviceName: 'a' } },
  StorageClass: { provisioner: 'example.com/a' },
  StorageVersion: { metadata: { name: 'example.com.as' }, spec: {} },
  StorageVersionMigration: { spec: { resource: { version: 'v1', resource: 'pods' } } },
  SubjectAccessReview: { spec: { user: 'a', resourceAttributes: { resource: 'pods', verb: 'get' } } },
  TokenReview: { spec: { token: 'a' } },
  ValidatingAdmissionPolicy: {
    spec: { matchConstraints: constraints, validations: [{ expression: 'true' }] },
  },
  ValidatingAdmissionPolicyBinding: { spec: { policyName: 'a', validationActions: ['Deny'] } },
  ValidatingWebhookConfiguration: { webhooks: [webhook] },
  VolumeAttachment: { spec: { attacher: 'a', nodeName: 'a', source: { persistentVolumeName: 'a' } } },
  VolumeAttributesClass: { driverName: 'a.example.com', parameters: { a: 'b' } },
};
