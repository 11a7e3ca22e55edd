/** Every plugin name that kube-apiserver knows, in the order they run. */
export const PLUGIN_ORDER = [
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DenyServiceExternalIPs',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
] as const;

/** Those that are on unless disabled. */
const DEFAULT_ON: ReadonlySet<string> = new Set([
  'NamespaceLifecycle',
  'LimitRanger',
  'ServiceAccount',
  'TaintNodesByCondition',
  'PodSecurity',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
]);

/**
 * The names of the plugins that run, in order, for `--enable-admission-plugins` and `--disable-admission-plugins`.
 * @throws Error for an unknown name, and for one that is both enabled and disabled: the server must not start
 */
export function selectPlugins(enabled: readonly string[], disabled: readonly string[]): string[] {
  const known: ReadonlySet<string> = new Set(PLUGIN_ORDER);
  for (const [flag, names] of [
    ['enable', enabled],
    ['disable', disabled],
  ] as const) {
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length > 0) throw new Error(`${flag}-admission-plugins plugin ${JSON.stringify(unknown[0])} is unknown`);
  }
  const both = enabled.filter((name) => disabled.includes(name));
  if (both.length > 0) throw new Error(`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  return PLUGIN_ORDER.filter((name) => (DEFAULT_ON.has(name) || enabled.includes(name)) && !disabled.includes(name));
}
