import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import { MIGRATIONS, PODS } from '../reconcile/resources.ts';
import type { SchedulerSettings } from '../scheduler/executor/settings.ts';
import { NODE_CONTROLLERS, type NodeControllerNeeds } from '../workloads/node-controllers.ts';
import { SERVICE_CONTROLLERS, type ServiceControllerNeeds } from '../workloads/service-controllers.ts';
import { STORAGE_CONTROLLERS, type StorageControllerNeeds } from '../workloads/storage-controllers.ts';
import { WORKLOAD_CONTROLLERS, type WorkloadNeeds } from '../workloads/table.ts';
import { approvingController } from './certificates/approving.ts';
import { cleanerController } from './certificates/cleaner.ts';
import { type CertificateSigner, signingController } from './certificates/signing.ts';
import { clusterRoleAggregationController } from './cluster-role-aggregation.ts';
import { garbageCollector } from './garbage-collector/controller.ts';
import type { MetadataSource } from './garbage-collector/objects.ts';
import type { NamespaceContent } from './namespace/content.ts';
import { namespaceController } from './namespace/controller.ts';
import { type CheckPolicyTypes, policyStatusController } from './policy-status.ts';
import type { RemoteKinds } from './remote-kinds.ts';
import { resourceQuotaController } from './resource-quota/controller.ts';
import type { CountableKinds } from './resource-quota/counted-objects.ts';
import { rootCertificatesController } from './root-certificates.ts';
import { serviceAccountController } from './service-accounts.ts';
import { accountTokenController, type SignAccountToken } from './tokens/account-tokens.ts';
import { bootstrapSignerController } from './tokens/bootstrap-signer.ts';
import { tokenCleanerController } from './tokens/token-cleaner.ts';
import { claimProtectionController } from './volumes/claim-protection.ts';
import { volumeProtectionController } from './volumes/volume-protection.ts';

/** What the controllers of the table need besides their context: each takes the members that it reads. */
export interface ControllerNeeds
  extends WorkloadNeeds,
    NodeControllerNeeds,
    ServiceControllerNeeds,
    StorageControllerNeeds {
  /** CA bundle of the server, PEM. */
  readonly caBundle: string;
  /** Signs certificate requests. */
  readonly signer: CertificateSigner;
  readonly signAccountToken: SignAccountToken;
  readonly namespaceContent: NamespaceContent;
  readonly countableKinds: CountableKinds;
  readonly checkPolicyTypes: CheckPolicyTypes;
  /** The kinds of extension servers. */
  readonly remoteKinds: RemoteKinds;
  /** Whether pods can be resized. */
  readonly resizesPods: boolean;
  /** Creates the metadata source of the garbage collector. */
  readonly createMetadataSource: () => MetadataSource;
  /** Milliseconds between the deletion of a namespace and that of its content. */
  readonly namespaceDeletionDelay: number;
  /** The garbage collector keeps objects whose owners the server has never stored. */
  readonly keepsUnknownOwners: boolean;
  readonly scheduler: SchedulerSettings;
}

/** The controllers that keep the API itself consistent, in the order in which they start. */
export const API_CONTROLLERS = [
  {
    name: 'serviceaccount-controller',
    alias: 'serviceaccount',
    does: 'creates the `default` service account of each namespace',
    account: 'service-account-controller',
    create: serviceAccountController,
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    alias: 'root-ca-cert-publisher',
    does: 'writes `kube-root-ca.crt` to each namespace',
    account: 'root-ca-cert-publisher',
    create: (parts, { caBundle }) => rootCertificatesController(parts, caBundle),
  },
  {
    name: 'namespace-controller',
    alias: 'namespace',
    does: 'deletes the content of a namespace that is being deleted, after `--namespace-deletion-delay`',
    account: 'namespace-controller',
    create: (parts, { namespaceContent, namespaceDeletionDelay }) =>
      namespaceController(parts, namespaceContent, namespaceDeletionDelay),
  },
  {
    name: 'garbage-collector-controller',
    alias: 'garbagecollector',
    does: 'deletes objects whose owners no longer exist',
    account: 'generic-garbage-collector',
    create: (parts, { remoteKinds, createMetadataSource, keepsUnknownOwners }) =>
      garbageCollector(parts, {
        stored: createMetadataSource(),
        kinds: remoteKinds,
        keepsUnknownOwners,
      }),
  },
  {
    name: 'resourcequota-controller',
    alias: 'resourcequota',
    does: 'counts what quotas use',
    account: 'resourcequota-controller',
    create: (parts, { countableKinds, remoteKinds, resizesPods }) =>
      resourceQuotaController(parts, countableKinds, remoteKinds, resizesPods),
  },
  {
    name: 'clusterrole-aggregation-controller',
    alias: 'clusterrole-aggregation',
    does: 'aggregates rules into cluster roles',
    account: 'clusterrole-aggregation-controller',
    create: clusterRoleAggregationController,
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    alias: 'csrapproving',
    does: 'approves certificate requests of kubelets',
    account: 'certificate-controller',
    create: (parts, { signer }) => approvingController(parts, signer.read),
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    alias: 'csrsigning',
    does: 'signs approved certificate requests',
    account: 'certificate-controller',
    create: (parts, { signer }) => signingController(parts, signer),
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    alias: 'csrcleaner',
    does: 'removes old certificate requests',
    account: 'certificate-controller',
    create: cleanerController,
  },
  {
    name: 'serviceaccount-token-controller',
    alias: 'serviceaccount-token',
    does: 'populates token Secrets of service accounts',
    create: (parts, { caBundle, signAccountToken }) =>
      accountTokenController(parts, signAccountToken, caBundle),
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    alias: 'pvc-protection',
    does: 'keeps claims that are in use, and removes their finalizer afterwards',
    account: 'pvc-protection-controller',
    create: claimProtectionController,
  },
  {
    name: 'persistentvolume-protection-controller',
    alias: 'pv-protection',
    does: 'keeps volumes that are in use, and removes their finalizer afterwards',
    account: 'pv-protection-controller',
    create: volumeProtectionController,
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    alias: 'validatingadmissionpolicy-status',
    does: 'checks the types of ValidatingAdmissionPolicies against the schemas of the kinds that they match, and writes warnings to their status',
    account: 'validatingadmissionpolicy-status-controller',
    create: (parts, { checkPolicyTypes }) => policyStatusController(parts, checkPolicyTypes),
  },
  {
    name: 'storage-version-migrator-controller',
    alias: 'svm',
    does: 'stores the objects of the resource that a StorageVersionMigration names in its present version (since 1.37)',
    account: 'storage-version-migrator-controller',
    gate: 'StorageVersionMigrator',
    wakesFor: [MIGRATIONS],
    async create(parts) {
      const { migrationController } = await import('./storage-version-migration/controller.ts');
      return migrationController(parts);
    },
  },
  ...NODE_CONTROLLERS,
  {
    name: 'token-cleaner-controller',
    alias: 'tokencleaner',
    does: 'removes expired bootstrap tokens',
    isOffByDefault: true,
    account: 'token-cleaner',
    create: tokenCleanerController,
  },
  {
    name: 'bootstrap-signer-controller',
    alias: 'bootstrapsigner',
    does: 'signs `cluster-info` with bootstrap tokens',
    isOffByDefault: true,
    account: 'bootstrap-signer',
    create: bootstrapSignerController,
  },
] as const satisfies readonly ControllerDeclaration<ControllerNeeds>[];

const SCHEDULERS = [
  {
    name: 'kube-scheduler',
    alias: 'scheduler',
    does: 'gives nodes to Pods ([scheduler.md](scheduler.md))',
    program: 'kube-scheduler',
    wakesFor: [PODS],
    create: async (parts, { scheduler }) =>
      (await import('../scheduler/controller.ts')).schedulerController(parts, scheduler),
  },
] as const satisfies readonly ControllerDeclaration<ControllerNeeds>[];

/** Every optional controller. */
export const CONTROLLERS = [
  ...API_CONTROLLERS,
  ...WORKLOAD_CONTROLLERS,
  ...SERVICE_CONTROLLERS,
  ...STORAGE_CONTROLLERS,
  ...SCHEDULERS,
] as const;

export type ControllerName = (typeof CONTROLLERS)[number]['name'];
