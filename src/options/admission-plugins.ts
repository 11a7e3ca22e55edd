/**
 * Admission plugins in the order in which they run, and whether they are on by default. Webhooks, quota and
 * AlwaysDeny come last.
 */
const PLUGINS = {
  AlwaysAdmit: false,
  NamespaceAutoProvision: false,
  NamespaceLifecycle: true,
  NamespaceExists: false,
  LimitPodHardAntiAffinityTopology: false,
  LimitRanger: true,
  ServiceAccount: true,
  NodeRestriction: false,
  TaintNodesByCondition: true,
  AlwaysPullImages: false,
  ImagePolicyWebhook: false,
  PodSecurity: true,
  PodNodeSelector: false,
  Priority: true,
  DefaultTolerationSeconds: true,
  PodTolerationRestriction: false,
  EventRateLimit: false,
  ExtendedResourceToleration: false,
  DefaultStorageClass: true,
  StorageObjectInUseProtection: true,
  OwnerReferencesPermissionEnforcement: false,
  PersistentVolumeClaimResize: true,
  RuntimeClass: true,
  CertificateApproval: true,
  CertificateSigning: true,
  ClusterTrustBundleAttest: true,
  CertificateSubjectRestriction: true,
  DefaultIngressClass: true,
  DenyServiceExternalIPs: false,
  MutatingAdmissionPolicy: true,
  MutatingAdmissionWebhook: true,
  ValidatingAdmissionPolicy: true,
  ValidatingAdmissionWebhook: true,
  ResourceQuota: true,
  AlwaysDeny: false,
};

export type AdmissionPluginName = keyof typeof PLUGINS;

/** All plugin names, in the order in which they run. */
export const ADMISSION_PLUGINS = Object.keys(PLUGINS) as readonly AdmissionPluginName[];

/** The flags that select admission plugins. */
export interface AdmissionFlags {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** The deprecated list of exactly the plugins to run. */
  readonly admissionControl: readonly string[];
}

/** Returns the enabled plugins in order. */
export function enabledAdmissionPlugins({
  enableAdmissionPlugins,
  disableAdmissionPlugins,
  admissionControl,
}: AdmissionFlags): AdmissionPluginName[] {
  if (admissionControl.length > 0) return ADMISSION_PLUGINS.filter((name) => admissionControl.includes(name));
  return ADMISSION_PLUGINS.filter(
    (name) =>
      enableAdmissionPlugins.includes(name) || (PLUGINS[name] && !disableAdmissionPlugins.includes(name)),
  );
}

/** Returns the errors in the admission flags. */
export function validateAdmissionFlags(flags: AdmissionFlags): string[] {
  const { enableAdmissionPlugins, disableAdmissionPlugins, admissionControl } = flags;
  const unknown = (flag: string, names: readonly string[]) =>
    names
      .filter((name) => !Object.hasOwn(PLUGINS, name))
      .map((name) => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const both = enableAdmissionPlugins.filter((name) => disableAdmissionPlugins.includes(name)).sort();
  if (admissionControl.length > 0 && enableAdmissionPlugins.length + disableAdmissionPlugins.length > 0) {
    return [
      'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
    ];
  }
  return [
    ...unknown('enable-admission-plugins', enableAdmissionPlugins),
    ...unknown('disable-admission-plugins', disableAdmissionPlugins),
    ...unknown('admission-control', admissionControl),
    ...(both.length > 0
      ? [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]
      : []),
  ];
}
