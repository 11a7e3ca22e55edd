/**
 * The Go types of values that kube-apiserver prints as structures in validation errors: per line the type, then its
 * fields with their types in order. A line without a type continues the previous one. `=name` gives the JSON name
 * where the rule of {@link jsonNameOf} does not; `=` alone takes the members from the object itself (an embedded type).
 * Types that only pointers lead to are absent: Go prints those as addresses.
 */
const DECLARATIONS = `
v1.ObjectMeta Name string, GenerateName string, Namespace string, SelfLink string, UID string
  ResourceVersion string, Generation int, CreationTimestamp v1.Time, DeletionTimestamp *v1.Time
  DeletionGracePeriodSeconds *int64, Labels map[string]string, Annotations map[string]string
  OwnerReferences []v1.OwnerReference, Finalizers []string, ManagedFields []v1.ManagedFieldsEntry
v1.OwnerReference APIVersion string, Kind string, Name string, UID string, Controller *bool, BlockOwnerDeletion *bool
v1.ManagedFieldsEntry Manager string, Operation string, APIVersion string, Time *v1.Time, FieldsType string
  FieldsV1 *v1.FieldsV1, Subresource string
core.PodTemplateSpec ObjectMeta=metadata v1.ObjectMeta, Spec core.PodSpec
core.PodSpec Volumes []core.Volume, InitContainers []core.Container, Containers []core.Container
  EphemeralContainers []core.EphemeralContainer, RestartPolicy string, TerminationGracePeriodSeconds *int64
  ActiveDeadlineSeconds *int64, DNSPolicy string, NodeSelector map[string]string, ServiceAccountName string
  AutomountServiceAccountToken *bool, NodeName string, SecurityContext *core.PodSecurityContext
  ImagePullSecrets []core.LocalObjectReference, Hostname string, Subdomain string, SetHostnameAsFQDN *bool
  Affinity *core.Affinity, SchedulerName string, Tolerations []core.Toleration, HostAliases []core.HostAlias
  PriorityClassName string, Priority *int32, PreemptionPolicy *core.PreemptionPolicy
  DNSConfig *core.PodDNSConfig, ReadinessGates []core.PodReadinessGate, RuntimeClassName *string
  Overhead core.ResourceList, EnableServiceLinks *bool
  TopologySpreadConstraints []core.TopologySpreadConstraint, OS *core.PodOS
  SchedulingGates []core.PodSchedulingGate, ResourceClaims []core.PodResourceClaim
  Resources *core.ResourceRequirements
core.Volume Name string, VolumeSource= core.VolumeSource
core.VolumeSource HostPath *core.HostPathVolumeSource, EmptyDir *core.EmptyDirVolumeSource
  GCEPersistentDisk *core.GCEPersistentDiskVolumeSource
  AWSElasticBlockStore *core.AWSElasticBlockStoreVolumeSource, GitRepo *core.GitRepoVolumeSource
  Secret *core.SecretVolumeSource, NFS *core.NFSVolumeSource, ISCSI *core.ISCSIVolumeSource
  Glusterfs *core.GlusterfsVolumeSource, PersistentVolumeClaim *core.PersistentVolumeClaimVolumeSource
  RBD *core.RBDVolumeSource, Quobyte *core.QuobyteVolumeSource, FlexVolume *core.FlexVolumeSource
  Cinder *core.CinderVolumeSource, CephFS=cephfs *core.CephFSVolumeSource, Flocker *core.FlockerVolumeSource
  DownwardAPI *core.DownwardAPIVolumeSource, FC *core.FCVolumeSource, AzureFile *core.AzureFileVolumeSource
  ConfigMap *core.ConfigMapVolumeSource, VsphereVolume *core.VsphereVirtualDiskVolumeSource
  AzureDisk *core.AzureDiskVolumeSource, PhotonPersistentDisk *core.PhotonPersistentDiskVolumeSource
  Projected *core.ProjectedVolumeSource, PortworxVolume *core.PortworxVolumeSource
  ScaleIO *core.ScaleIOVolumeSource, StorageOS=storageos *core.StorageOSVolumeSource
  CSI *core.CSIVolumeSource, Ephemeral *core.EphemeralVolumeSource, Image *core.ImageVolumeSource
core.Container Name string, Image string, Command []string, Args []string, WorkingDir string
  Ports []core.ContainerPort, EnvFrom []core.EnvFromSource, Env []core.EnvVar
  Resources core.ResourceRequirements, ResizePolicy []core.ContainerResizePolicy
  RestartPolicy *core.ContainerRestartPolicy, VolumeMounts []core.VolumeMount
  VolumeDevices []core.VolumeDevice, LivenessProbe *core.Probe, ReadinessProbe *core.Probe
  StartupProbe *core.Probe, Lifecycle *core.Lifecycle, TerminationMessagePath string
  TerminationMessagePolicy string, ImagePullPolicy string, SecurityContext *core.SecurityContext
  Stdin bool, StdinOnce bool, TTY bool
core.EphemeralContainer EphemeralContainerCommon= core.EphemeralContainerCommon, TargetContainerName string
core.ContainerPort Name string, HostPort int, ContainerPort int, Protocol string, HostIP string
core.EnvFromSource Prefix string, ConfigMapRef *core.ConfigMapEnvSource, SecretRef *core.SecretEnvSource
core.EnvVar Name string, Value string, ValueFrom *core.EnvVarSource
core.ResourceRequirements Limits core.ResourceList, Requests core.ResourceList, Claims []core.ResourceClaim
core.ResourceClaim Name string, Request string
core.ContainerResizePolicy ResourceName string, RestartPolicy string
core.VolumeMount Name string, ReadOnly bool, RecursiveReadOnly *core.RecursiveReadOnlyMode, MountPath string
  SubPath string, MountPropagation *core.MountPropagationMode, SubPathExpr string
core.VolumeDevice Name string, DevicePath string
core.LocalObjectReference Name string
core.HostAlias IP string, Hostnames []string
core.PodReadinessGate ConditionType string
core.TopologySpreadConstraint MaxSkew int, TopologyKey string, WhenUnsatisfiable string
  LabelSelector *v1.LabelSelector, MinDomains *int32, NodeAffinityPolicy *core.NodeInclusionPolicy
  NodeTaintsPolicy *core.NodeInclusionPolicy, MatchLabelKeys []string
core.PodSchedulingGate Name string
core.PodResourceClaim Name string, ResourceClaimName *string, ResourceClaimTemplateName *string
core.NodeSelectorTerm MatchExpressions []core.NodeSelectorRequirement, MatchFields []core.NodeSelectorRequirement
core.NodeSelectorRequirement Key string, Operator string, Values []string
resource.DeviceAttribute IntValue=int *int64, BoolValue=bool *bool, StringValue=string *string, VersionValue=version *string
core.Toleration Key string, Operator string, Value string, Effect string, TolerationSeconds *int64
core.ObjectReference Kind string, Namespace string, Name string, UID string, APIVersion string
  ResourceVersion string, FieldPath string
core.EventSource Component string, Host string
core.Taint Key string, Value string, Effect string, TimeAdded *v1.Time
core.SecurityContext Capabilities *core.Capabilities, Privileged *bool, SELinuxOptions *core.SELinuxOptions
  WindowsOptions *core.WindowsSecurityContextOptions, RunAsUser *int64, RunAsGroup *int64, RunAsNonRoot *bool
  ReadOnlyRootFilesystem *bool, AllowPrivilegeEscalation *bool, ProcMount *core.ProcMountType
  SeccompProfile *core.SeccompProfile, AppArmorProfile *core.AppArmorProfile
core.ScopeSelector MatchExpressions []core.ScopedResourceSelectorRequirement
core.ScopedResourceSelectorRequirement ScopeName string, Operator string, Values []string
batch.PodFailurePolicy Rules []batch.PodFailurePolicyRule
batch.PodFailurePolicyRule Action string
  OnExitCodes *batch.PodFailurePolicyOnExitCodesRequirement
  OnPodConditions []batch.PodFailurePolicyOnPodConditionsPattern
batch.PodFailurePolicyOnPodConditionsPattern Type string, Status string
batch.SuccessPolicy Rules []batch.SuccessPolicyRule
batch.SuccessPolicyRule SucceededIndexes *string, SucceededCount *int32
batch.UncountedTerminatedPods Succeeded []types.UID, Failed []types.UID
apps.StatefulSetUpdateStrategy Type string, RollingUpdate *apps.RollingUpdateStatefulSetStrategy
apps.RollingUpdateStatefulSetStrategy Partition int, MaxUnavailable *intstr.IntOrString
resource.ResourceClaimTemplateSpec ObjectMeta=metadata v1.ObjectMeta, Spec resource.ResourceClaimSpec
resource.ResourceClaimSpec Devices resource.DeviceClaim
resource.DeviceClaim Requests []resource.DeviceRequest, Constraints []resource.DeviceConstraint
  Config []resource.DeviceClaimConfiguration
resource.DeviceRequest Name string, DeviceClassName string, Selectors []resource.DeviceSelector
  AllocationMode string, Count int, AdminAccess *bool
resource.DeviceSelector CEL *resource.CELDeviceSelector
resource.DeviceConstraint Requests []string, MatchAttribute *resource.FullyQualifiedName
resource.DeviceClaimConfiguration Requests []string, DeviceConfiguration= resource.DeviceConfiguration
resource.DeviceConfiguration Opaque *resource.OpaqueDeviceConfiguration
`;

/** A field of a Go structure. */
export interface GoField {
  readonly name: string;
  /** Member of the object; undefined for an embedded type, whose members are those of the object. */
  readonly member: string | undefined;
  readonly type: string;
}

/** Go's rule for JSON names in the Kubernetes API: `SELinuxOptions` is `seLinuxOptions`, `TTY` is `tty`. */
export const jsonNameOf = (name: string): string =>
  name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (start) => start.toLowerCase());

let structures: ReadonlyMap<string, readonly GoField[]> | undefined;

/** The fields of a structure; undefined for other types. */
export function goFieldsOf(type: string): readonly GoField[] | undefined {
  structures ??= readDeclarations(DECLARATIONS);
  return structures.get(type === 'core.EphemeralContainerCommon' ? 'core.Container' : type);
}

function readDeclarations(text: string): Map<string, GoField[]> {
  const types = new Map<string, GoField[]>();
  let fields: GoField[] = [];
  for (const line of text.trim().split('\n')) {
    let list = line.trim();
    if (!line.startsWith(' ')) {
      const space = line.indexOf(' ');
      fields = [];
      types.set(line.slice(0, space), fields);
      list = line.slice(space + 1);
    }
    for (const declaration of list.split(', ')) fields.push(readField(declaration));
  }
  return types;
}

function readField(declaration: string): GoField {
  const [named = '', type = ''] = declaration.split(' ');
  const equals = named.indexOf('=');
  if (equals < 0) return { name: named, member: jsonNameOf(named), type };
  return { name: named.slice(0, equals), member: named.slice(equals + 1) || undefined, type };
}
