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
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/**
 * Every admission plugin, in the order in which they run. Webhooks, quota and AlwaysDeny come last. Flags,
 * metrics and the chain follow from this list.
 */
export const ADMISSION_PLUGINS = [
  {
    name: 'AlwaysAdmit',
    isDefault: false,
    isDeprecated: true,
    operations: both(ALL),
    create: () => ({ name: 'AlwaysAdmit', handles: () => false }),
  },
  {
    name: 'NamespaceAutoProvision',
    isDefault: false,
    operations: { admit: WRITES },
    create: namespaceAutoProvision,
  },
  {
    name: 'NamespaceLifecycle',
    isDefault: true,
    operations: { admit: CHANGES },
    create: namespaceLifecycle,
  },
  {
    name: 'NamespaceExists',
    isDefault: false,
    operations: { validate: CHANGES },
    create: namespaceExists,
  },
  {
    name: 'LimitPodHardAntiAffinityTopology',
    isDefault: false,
    operations: { validate: WRITES },
    create: () => limitPodHardAntiAffinityTopology,
  },
  {
    name: 'LimitRanger',
    isDefault: true,
    operations: both(WRITES),
    create: limitRanger,
  },
  {
    name: 'ServiceAccount',
    isDefault: true,
    operations: both(WRITES),
    create: serviceAccount,
  },
  {
    name: 'NodeRestriction',
    isDefault: false,
    operations: { admit: CHANGES },
    create: nodeRestriction,
  },
  {
    name: 'TaintNodesByCondition',
    isDefault: true,
    operations: { admit: CREATE },
    create: () => taintNodesByCondition,
  },
  {
    name: 'AlwaysPullImages',
    isDefault: false,
    operations: both(WRITES),
    create: () => alwaysPullImages,
  },
  {
    name: 'ImagePolicyWebhook',
    isDefault: false,
    operations: { validate: WRITES },
    create: imagePolicyWebhook,
  },
  {
    name: 'PodSecurity',
    isDefault: true,
    operations: { validate: WRITES },
    create: podSecurity,
  },
  {
    name: 'PodNodeSelector',
    isDefault: false,
    operations: both(CREATE),
    create: podNodeSelector,
  },
  {
    name: 'Priority',
    isDefault: true,
    operations: both(CHANGES),
    create: priority,
  },
  {
    name: 'DefaultTolerationSeconds',
    isDefault: true,
    operations: { admit: WRITES },
    create: ({ tolerationSeconds }) => defaultTolerationSeconds(tolerationSeconds),
  },
  {
    name: 'PodTolerationRestriction',
    isDefault: false,
    operations: both(WRITES),
    create: podTolerationRestriction,
  },
  {
    name: 'EventRateLimit',
    isDefault: false,
    operations: { validate: WRITES },
    create: eventRateLimit,
  },
  {
    name: 'ExtendedResourceToleration',
    isDefault: false,
    operations: { admit: WRITES },
    create: () => extendedResourceToleration,
  },
  {
    name: 'DefaultStorageClass',
    isDefault: true,
    operations: { admit: CREATE },
    create: defaultStorageClass,
  },
  {
    name: 'StorageObjectInUseProtection',
    isDefault: true,
    operations: { admit: CREATE },
    create: () => storageObjectInUseProtection,
  },
  {
    name: 'OwnerReferencesPermissionEnforcement',
    isDefault: false,
    operations: { validate: WRITES },
    create: ownerReferencesPermissionEnforcement,
  },
  {
    name: 'PersistentVolumeClaimResize',
    isDefault: true,
    operations: { validate: UPDATE },
    create: persistentVolumeClaimResize,
  },
  {
    name: 'RuntimeClass',
    isDefault: true,
    operations: both(CREATE),
    create: runtimeClass,
  },
  {
    name: 'CertificateApproval',
    isDefault: true,
    operations: { validate: UPDATE },
    create: ({ authorizer }) => certificateApproval(authorizer),
  },
  {
    name: 'CertificateSigning',
    isDefault: true,
    operations: { validate: UPDATE },
    create: ({ authorizer }) => certificateSigning(authorizer),
  },
  {
    name: 'ClusterTrustBundleAttest',
    isDefault: true,
    operations: { validate: WRITES },
    create: ({ authorizer }) => clusterTrustBundleAttest(authorizer),
  },
  {
    name: 'CertificateSubjectRestriction',
    isDefault: true,
    operations: { validate: CREATE },
    create: () => certificateSubjectRestriction,
  },
  {
    name: 'DefaultIngressClass',
    isDefault: true,
    operations: { admit: CREATE },
    create: defaultIngressClass,
  },
  {
    name: 'DenyServiceExternalIPs',
    isDefault: false,
    operations: { validate: WRITES },
    create: () => denyServiceExternalIPs,
  },
  {
    name: 'MutatingAdmissionPolicy',
    isDefault: true,
    operations: { admit: ['CREATE', 'UPDATE', 'CONNECT'] },
  },
  {
    name: 'MutatingAdmissionWebhook',
    isDefault: true,
    operations: { admit: ALL },
  },
  {
    name: 'ValidatingAdmissionPolicy',
    isDefault: true,
    operations: { validate: ALL },
  },
  {
    name: 'ValidatingAdmissionWebhook',
    isDefault: true,
    operations: { validate: ALL },
  },
  {
    name: 'ResourceQuota',
    isDefault: true,
    operations: { validate: WRITES },
    create: resourceQuota,
  },
  {
    name: 'AlwaysDeny',
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
