import type { AdmissionOperation } from '../request/admission.ts';

/** The two phases of admission. */
export type AdmissionPhase = 'admit' | 'validate';

type Phases = Readonly<Partial<Record<AdmissionPhase, readonly AdmissionOperation[]>>>;

const CREATE = ['CREATE'] as const;
const UPDATE = ['UPDATE'] as const;
const WRITES = ['CREATE', 'UPDATE'] as const;
const CHANGES = ['CREATE', 'UPDATE', 'DELETE'] as const;
const ALL = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

const both = (operations: readonly AdmissionOperation[]): Phases => ({
  admit: operations,
  validate: operations,
});

/** The operations for which kube-apiserver 1.32 calls each plugin, whatever the resource. */
const OPERATIONS: ReadonlyMap<string, Phases> = new Map<string, Phases>([
  ['AlwaysAdmit', both(ALL)],
  ['AlwaysDeny', both(ALL)],
  ['AlwaysPullImages', both(WRITES)],
  ['CertificateApproval', { validate: UPDATE }],
  ['CertificateSigning', { validate: UPDATE }],
  ['CertificateSubjectRestriction', { validate: CREATE }],
  ['ClusterTrustBundleAttest', { validate: WRITES }],
  ['DefaultIngressClass', { admit: CREATE }],
  ['DefaultStorageClass', { admit: CREATE }],
  ['DefaultTolerationSeconds', { admit: WRITES }],
  ['DenyServiceExternalIPs', { validate: WRITES }],
  ['EventRateLimit', { validate: WRITES }],
  ['ExtendedResourceToleration', { admit: WRITES }],
  ['ImagePolicyWebhook', { validate: WRITES }],
  ['LimitPodHardAntiAffinityTopology', { validate: WRITES }],
  ['LimitRanger', both(WRITES)],
  ['MutatingAdmissionPolicy', { admit: ['CREATE', 'UPDATE', 'CONNECT'] }],
  ['MutatingAdmissionWebhook', { admit: ALL }],
  ['NamespaceAutoProvision', { admit: WRITES }],
  ['NamespaceExists', { validate: CHANGES }],
  ['NamespaceLifecycle', { admit: CHANGES }],
  ['NodeRestriction', { admit: CHANGES }],
  ['OwnerReferencesPermissionEnforcement', { validate: WRITES }],
  ['PersistentVolumeClaimResize', { validate: UPDATE }],
  ['PodNodeSelector', both(CREATE)],
  ['PodSecurity', { validate: WRITES }],
  ['PodTolerationRestriction', both(WRITES)],
  ['Priority', both(CHANGES)],
  ['ResourceQuota', { validate: WRITES }],
  ['RuntimeClass', both(CREATE)],
  ['ServiceAccount', both(WRITES)],
  ['StorageObjectInUseProtection', { admit: CREATE }],
  ['TaintNodesByCondition', { admit: CREATE }],
  ['ValidatingAdmissionPolicy', { validate: ALL }],
  ['ValidatingAdmissionWebhook', { validate: ALL }],
]);

/** Whether kube-apiserver calls a plugin in a phase of an operation, even if it ignores the resource. */
export const isCalledFor = (plugin: string, operation: AdmissionOperation, phase: AdmissionPhase): boolean =>
  OPERATIONS.get(plugin)?.[phase]?.includes(operation) ?? false;
