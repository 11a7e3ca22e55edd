import type { AdmissionPlugin } from '../../request/admission.ts';
import type { Authorizer } from '../../request/attributes.ts';
import type { AdmissionListers } from '../listers.ts';
import type { Wait } from '../retry-lookup.ts';
import { alwaysDeny } from './always-deny.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { certificateApproval, certificateSigning, clusterTrustBundleAttest } from './certificate-signers.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds, type TolerationSeconds } from './default-toleration-seconds.ts';
import { denyServiceExternalIPs } from './deny-service-external-ips.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceExists } from './namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeRestriction } from './node-restriction.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { podSecurity } from './pod-security.ts';
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
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  readonly wait: Wait;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly tolerationSeconds?: TolerationSeconds;
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
  const factories: ReadonlyMap<string, () => AdmissionPlugin> = new Map<string, () => AdmissionPlugin>([
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
    ['PodNodeSelector', () => podNodeSelector(options)],
    ['LimitRanger', () => limitRanger(options)],
    ['PodSecurity', () => podSecurity(options)],
    ['ResourceQuota', () => resourceQuota(options)],
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
