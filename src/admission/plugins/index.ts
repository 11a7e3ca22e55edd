import type { AdmissionPlugin } from '../../request/admission.ts';
import type { Authorizer } from '../../request/attributes.ts';
import type { ClusterClock, ProcessClock } from '../../time/clock.ts';
import type { AdmissionListers } from '../listers.ts';
import type { PluginConfiguration } from '../plugin-configuration.ts';
import type { Wait } from '../retry-lookup.ts';
import { alwaysDeny } from './always-deny.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { certificateApproval, certificateSigning, clusterTrustBundleAttest } from './certificate-signers.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds, type TolerationSeconds } from './default-toleration-seconds.ts';
import { denyServiceExternalIPs } from './deny-service-external-ips.ts';
import { eventRateLimit } from './event-rate-limit.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { imagePolicyWebhook, type ReviewImages } from './image-policy-webhook.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceAutoProvision } from './namespace-auto-provision.ts';
import { namespaceExists } from './namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeRestriction } from './node-restriction.ts';
import {
  type OwnerResource,
  ownerReferencesPermissionEnforcement,
} from './owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { type PodSecurityObserver, podSecurity } from './pod-security.ts';
import { podTolerationRestriction } from './pod-toleration-restriction.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

export interface BuiltinPluginOptions extends AdmissionListers {
  /** Generates a random suffix for the names of token volumes. */
  readonly nameSuffix: () => string;
  readonly authorizer: Authorizer;
  /** The cluster's time in milliseconds. */
  readonly now: ClusterClock['now'];
  /** Whether pods can be resized. */
  readonly resizesPods: boolean;
  /** Monotonic clock in milliseconds. */
  readonly monotonic: ProcessClock['monotonic'];
  readonly wait: Wait;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly tolerationSeconds?: TolerationSeconds;
  /** Creates a namespace; resolves too if it exists. Rejects with the text of the refusal. */
  readonly createNamespace: (name: string) => Promise<void>;
  /** The resource that serves a kind; undefined if none does. */
  readonly resourceOfKind: (group: string, version: string, kind: string) => OwnerResource | undefined;
  readonly podSecurityObserver: PodSecurityObserver;
  /** Asks the image policy; needed with ImagePolicyWebhook. */
  readonly reviewImages: ReviewImages;
  readonly configuration: PluginConfiguration;
}

/**
 * Creates the named built-in plugins, in order.
 * @param extra further plugins (webhooks, policies), by name
 */
export function builtinPlugins(
  names: readonly string[],
  options: BuiltinPluginOptions,
  extra: ReadonlyMap<string, AdmissionPlugin> = new Map(),
): AdmissionPlugin[] {
  const configured = { ...options, ...options.configuration };
  const factories: ReadonlyMap<string, () => AdmissionPlugin> = new Map<string, () => AdmissionPlugin>([
    ['NamespaceAutoProvision', () => namespaceAutoProvision(options)],
    ['NamespaceLifecycle', () => namespaceLifecycle(options)],
    ['ServiceAccount', () => serviceAccount(options)],
    ['NodeRestriction', () => nodeRestriction(options)],
    ['TaintNodesByCondition', () => taintNodesByCondition],
    ['Priority', () => priority(options)],
    ['DefaultTolerationSeconds', () => defaultTolerationSeconds(options.tolerationSeconds)],
    ['DefaultStorageClass', () => defaultStorageClass(options)],
    ['StorageObjectInUseProtection', () => storageObjectInUseProtection],
    ['PersistentVolumeClaimResize', () => persistentVolumeClaimResize(options)],
    ['RuntimeClass', () => runtimeClass(options)],
    ['CertificateApproval', () => certificateApproval(options.authorizer)],
    ['CertificateSigning', () => certificateSigning(options.authorizer)],
    ['DefaultIngressClass', () => defaultIngressClass(options)],
    ['AlwaysDeny', () => alwaysDeny],
    ['AlwaysPullImages', () => alwaysPullImages],
    ['CertificateSubjectRestriction', () => certificateSubjectRestriction],
    ['ClusterTrustBundleAttest', () => clusterTrustBundleAttest(options.authorizer)],
    ['DenyServiceExternalIPs', () => denyServiceExternalIPs],
    ['ExtendedResourceToleration', () => extendedResourceToleration],
    ['LimitPodHardAntiAffinityTopology', () => limitPodHardAntiAffinityTopology],
    ['NamespaceExists', () => namespaceExists(options)],
    ['PodNodeSelector', () => podNodeSelector(configured)],
    ['PodTolerationRestriction', () => podTolerationRestriction(configured)],
    ['OwnerReferencesPermissionEnforcement', () => ownerReferencesPermissionEnforcement(options)],
    ['LimitRanger', () => limitRanger(options)],
    ['PodSecurity', () => podSecurity(configured)],
    ['EventRateLimit', () => eventRateLimit(configured)],
    ['ImagePolicyWebhook', () => imagePolicyWebhook(configured)],
    ['ResourceQuota', () => resourceQuota(configured)],
  ]);
  return names.flatMap((name) => extra.get(name) ?? factories.get(name)?.() ?? []);
}

/** A plugin without effect, always supported. */
const NO_EFFECT = 'AlwaysAdmit';

/** The requested plugin names that are not supported. */
export function unsupportedPlugins(
  requested: readonly string[],
  plugins: readonly AdmissionPlugin[],
): string[] {
  const present = new Set([NO_EFFECT, ...plugins.map(({ name }) => name)]);
  return [...new Set(requested)].filter((name) => !present.has(name));
}
