import { alwaysDeny } from './always-deny.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { certificateApproval, certificateSigning, clusterTrustBundleAttest } from './certificate-signers.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';
import { ALL, both, CHANGES, CREATE, type PluginDeclaration, UPDATE, WRITES } from './declaration.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { denyServiceExternalIPs } from './deny-service-external-ips.ts';
import { eventRateLimit } from './event-rate-limit.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { imagePolicyWebhook } from './image-policy-webhook.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceAutoProvision } from './namespace-auto-provision.ts';
import { namespaceExists } from './namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeRestriction } from './node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { podSecurity } from './pod-security.ts';
import { podTolerationRestriction } from './pod-toleration-restriction.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/**
 * Every admission plugin, in the order in which they run. Webhooks, quota and AlwaysDeny come last. Flags,
 * metrics, the chain and the table of docs/admission.md (scripts/generate-tables.ts) follow from this list.
 */
export const ADMISSION_PLUGINS = [
  {
    name: 'AlwaysAdmit',
    does: 'nothing',
    isDefault: false,
    isDeprecated: true,
    operations: both(ALL),
    create: () => ({ handles: () => false }),
  },
  {
    name: 'NamespaceAutoProvision',
    does: 'creates the absent namespace of a new object',
    isDefault: false,
    operations: { admit: WRITES },
    create: namespaceAutoProvision,
  },
  {
    name: 'NamespaceLifecycle',
    does: 'refuses new objects in namespaces that are absent or being deleted, and the deletion of `default`, `kube-system` and `kube-public`',
    isDefault: true,
    operations: { admit: CHANGES },
    create: namespaceLifecycle,
  },
  {
    name: 'NamespaceExists',
    does: 'refuses objects in absent namespaces in every write',
    isDefault: false,
    operations: { validate: CHANGES },
    create: namespaceExists,
  },
  {
    name: 'LimitPodHardAntiAffinityTopology',
    does: 'allows required anti-affinity by host name only',
    isDefault: false,
    operations: { validate: WRITES },
    create: () => limitPodHardAntiAffinityTopology,
  },
  {
    name: 'LimitRanger',
    does: 'sets the default requests and limits of containers, and enforces the limit ranges of the namespace',
    isDefault: true,
    operations: both(WRITES),
    create: limitRanger,
  },
  {
    name: 'ServiceAccount',
    does: 'sets the service account of Pods, its pull secrets, and a volume with a token',
    isDefault: true,
    operations: both(WRITES),
    create: serviceAccount,
  },
  {
    name: 'NodeRestriction',
    does: 'limits what a node may write',
    isDefault: false,
    operations: { admit: CHANGES },
    create: nodeRestriction,
  },
  {
    name: 'TaintNodesByCondition',
    does: 'taints new Nodes as not ready',
    isDefault: true,
    operations: { admit: CREATE },
    create: () => taintNodesByCondition,
  },
  {
    name: 'AlwaysPullImages',
    does: 'sets the image pull policy `Always`',
    isDefault: false,
    operations: both(WRITES),
    create: () => alwaysPullImages,
  },
  {
    name: 'ImagePolicyWebhook',
    does: 'asks a backend whether the images of a Pod may run',
    isDefault: false,
    operations: { validate: WRITES },
    create: imagePolicyWebhook,
  },
  {
    name: 'PodSecurity',
    does: 'enforces the pod security level of the namespace, and warns and audits',
    isDefault: true,
    operations: { validate: WRITES },
    create: podSecurity,
  },
  {
    name: 'PodNodeSelector',
    does: 'merges a node selector of the namespace or the cluster into Pods, and restricts those of a namespace',
    isDefault: false,
    operations: both(CREATE),
    create: podNodeSelector,
  },
  {
    name: 'Priority',
    does: 'sets the priority of Pods from their PriorityClass, and allows one default class',
    isDefault: true,
    operations: both(CHANGES),
    create: priority,
  },
  {
    name: 'DefaultTolerationSeconds',
    does: 'adds tolerations of nodes that are not ready or unreachable for a time to Pods',
    isDefault: true,
    operations: { admit: WRITES },
    create: ({ tolerationSeconds }) => defaultTolerationSeconds(tolerationSeconds),
  },
  {
    name: 'PodTolerationRestriction',
    does: 'adds tolerations of the namespace or the cluster to Pods, and restricts them',
    isDefault: false,
    operations: both(WRITES),
    create: podTolerationRestriction,
  },
  {
    name: 'EventRateLimit',
    does: 'limits the rate of core events for the server, a namespace, a user, or a source and object',
    isDefault: false,
    operations: { validate: WRITES },
    create: eventRateLimit,
  },
  {
    name: 'ExtendedResourceToleration',
    does: 'adds tolerations for requested extended resources',
    isDefault: false,
    operations: { admit: WRITES },
    create: () => extendedResourceToleration,
  },
  {
    name: 'DefaultStorageClass',
    does: 'sets the default class of claims without class',
    isDefault: true,
    operations: { admit: CREATE },
    create: defaultStorageClass,
  },
  {
    name: 'StorageObjectInUseProtection',
    does: 'adds the finalizers that keep volumes and claims in use',
    isDefault: true,
    operations: { admit: CREATE },
    create: ({ scheme, isOn }) => storageObjectInUseProtection({ has: scheme.has, isOn }),
  },
  {
    name: 'OwnerReferencesPermissionEnforcement',
    does: 'changing `ownerReferences` needs the verb `delete` on the object, and setting `blockOwnerDeletion` needs `update` on the `finalizers` subresource of the owner',
    isDefault: false,
    operations: { validate: WRITES },
    create: ownerReferencesPermissionEnforcement,
  },
  {
    name: 'PersistentVolumeClaimResize',
    does: 'allows a claim to grow only where its class allows it',
    isDefault: true,
    operations: { validate: UPDATE },
    create: persistentVolumeClaimResize,
  },
  {
    name: 'RuntimeClass',
    does: 'sets the overhead and the scheduling of the RuntimeClass of Pods',
    isDefault: true,
    operations: both(CREATE),
    create: runtimeClass,
  },
  {
    name: 'CertificateApproval',
    does: 'approving a certificate request needs the verb `approve` on its signer',
    isDefault: true,
    operations: { validate: UPDATE },
    create: ({ authorizer }) => certificateApproval(authorizer),
  },
  {
    name: 'CertificateSigning',
    does: 'setting the certificate of a request needs the verb `sign` on its signer',
    isDefault: true,
    operations: { validate: UPDATE },
    create: ({ authorizer }) => certificateSigning(authorizer),
  },
  {
    name: 'ClusterTrustBundleAttest',
    does: 'writing a ClusterTrustBundle needs the verb `attest` on its signer',
    isDefault: true,
    operations: { validate: WRITES },
    create: ({ authorizer }) => clusterTrustBundleAttest(authorizer),
  },
  {
    name: 'CertificateSubjectRestriction',
    does: 'refuses certificate requests for the group `system:masters`',
    isDefault: true,
    operations: { validate: CREATE },
    create: () => certificateSubjectRestriction,
  },
  {
    name: 'DefaultIngressClass',
    does: 'sets the default class of Ingresses without class',
    isDefault: true,
    operations: { admit: CREATE },
    create: defaultIngressClass,
  },
  {
    name: 'DenyServiceExternalIPs',
    does: 'refuses new external addresses of Services',
    isDefault: false,
    operations: { validate: WRITES },
    create: () => denyServiceExternalIPs,
  },
  {
    name: 'PodTopologyLabels',
    since: '1.33',
    does: 'copies zone and region of the node to Pods that are assigned to it, with the feature gate `PodTopologyLabelsAdmission`',
    isDefault: true,
    operations: { admit: CREATE },
    create: podTopologyLabels,
  },
  {
    name: 'MutatingAdmissionPolicy',
    does: 'applies [mutating policies](#policies)',
    isDefault: true,
    operations: { admit: ['CREATE', 'UPDATE', 'CONNECT'] },
  },
  {
    name: 'MutatingAdmissionWebhook',
    does: 'asks mutating webhooks',
    isDefault: true,
    operations: { admit: ALL },
  },
  {
    name: 'ValidatingAdmissionPolicy',
    does: 'applies [validating policies](#policies)',
    isDefault: true,
    operations: { validate: ALL },
  },
  {
    name: 'ValidatingAdmissionWebhook',
    does: 'asks validating webhooks',
    isDefault: true,
    operations: { validate: ALL },
  },
  {
    name: 'ResourceQuota',
    does: 'charges new objects to the quotas of the namespace, and refuses those beyond them',
    isDefault: true,
    operations: { validate: WRITES },
    create: resourceQuota,
  },
  {
    name: 'AlwaysDeny',
    does: 'refuses every write',
    isDefault: false,
    isDeprecated: true,
    operations: both(ALL),
    create: () => alwaysDeny,
  },
] as const satisfies readonly PluginDeclaration[];

export type AdmissionPluginName = (typeof ADMISSION_PLUGINS)[number]['name'];

/** The declarations by name. */
export const ADMISSION_PLUGIN_BY_NAME: ReadonlyMap<string, PluginDeclaration> = new Map(
  ADMISSION_PLUGINS.map((plugin) => [plugin.name, plugin]),
);
