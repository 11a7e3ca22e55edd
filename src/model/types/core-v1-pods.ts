import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
AppArmorProfile
  @union type localhostProfile=LocalhostProfile
  type 1 string required enum=Localhost|RuntimeDefault|Unconfined go=AppArmorProfileType
  localhostProfile 2 *string

Capabilities
  add 1 []string list=atomic go=Capability
  drop 2 []string list=atomic go=Capability

ContainerExtendedResourceRequest since=1.34
  containerName 1 string required
  resourceName 2 string required
  requestName 3 string required

EvictionResponder map=atomic since=1.37
  name 1 string required
  priority 2 *int32 required shown

HostAlias
  ip 1 string required
  hostnames 2 []string list=atomic

HostIP
  ip 1 string required

NodeAllocatableMappedResources since=1.37
  name 1 string required go=ResourceName
  quantity 2 *quantity.Quantity required shown

NodeAllocatableOverheadResources since=1.37
  name 1 string required go=ResourceName
  perPod 2 *quantity.Quantity
  perContainer 3 *quantity.Quantity

NodeAllocatableResourceClaimStatus since=1.36
  resourceClaimName 1 string required
  containers 2 []string list=set
  resources 3 map:quantity.Quantity required until=1.37
  mapping 4 []NodeAllocatableMappedResources list=map(name) patch=merge since=1.37
  overhead 5 []NodeAllocatableOverheadResources list=map(name) patch=merge since=1.37

Pod kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 PodSpec
  status 3 PodStatus

PodCondition
  @json type observedGeneration status lastProbeTime lastTransitionTime reason message
  type 1 string required go=PodConditionType
  status 2 string required go=ConditionStatus
  lastProbeTime 3 meta_v1.Time
  lastTransitionTime 4 meta_v1.Time
  reason 5 string
  message 6 string
  observedGeneration 7 int64 since=1.33

PodDNSConfig
  nameservers 1 []string list=atomic
  searches 2 []string list=atomic
  options 3 []PodDNSConfigOption list=atomic

PodDNSConfigOption
  name 1 string
  value 2 *string

PodExtendedResourceClaimStatus since=1.34
  requestMappings 1 []ContainerExtendedResourceRequest required list=atomic
  resourceClaimName 2 string required

PodIP
  ip 1 string required

PodList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Pod required

PodOS
  name 1 string required go=OSName

PodReadinessGate
  conditionType 1 string required go=PodConditionType

PodResourceClaim
  name 1 string required
  resourceClaimName 3 *string
  resourceClaimTemplateName 4 *string

PodResourceClaimStatus
  name 1 string required
  resourceClaimName 2 *string

PodSchedulingGate
  name 1 string required

PodSchedulingGroup since=1.36
  @union - podGroupName=PodGroupName
  podGroupName 1 *string

PodSecurityContext
  @json seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot supplementalGroups supplementalGroupsPolicy fsGroup sysctls fsGroupChangePolicy seccompProfile appArmorProfile seLinuxChangePolicy
  seLinuxOptions 1 *SELinuxOptions
  runAsUser 2 *int64
  runAsNonRoot 3 *boolean
  supplementalGroups 4 []int64 itemsDefault=0 list=atomic
  fsGroup 5 *int64
  runAsGroup 6 *int64
  sysctls 7 []Sysctl list=atomic
  windowsOptions 8 *WindowsSecurityContextOptions
  fsGroupChangePolicy 9 *string enum=Always|OnRootMismatch go=PodFSGroupChangePolicy
  seccompProfile 10 *SeccompProfile
  appArmorProfile 11 *AppArmorProfile
  supplementalGroupsPolicy 12 *string enum=Merge|Strict go=SupplementalGroupsPolicy
  seLinuxChangePolicy 13 *string go=PodSELinuxChangePolicy

PodSpec
  @json volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC shareProcessNamespace securityContext imagePullSecrets hostname subdomain affinity schedulerName tolerations hostAliases priorityClassName priority dnsConfig readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os hostUsers schedulingGates resourceClaims resources hostnameOverride workloadRef schedulingGroup evictionResponders
  volumes 1 []Volume list=map(name) patch=merge,retainKeys
  containers 2 []Container required list=map(name) patch=merge
  restartPolicy 3 string enum=Always|Never|OnFailure go=RestartPolicy
  terminationGracePeriodSeconds 4 *int64
  activeDeadlineSeconds 5 *int64
  dnsPolicy 6 string enum=ClusterFirst|ClusterFirstWithHostNet|Default|None go=DNSPolicy
  nodeSelector 7 map:string map=atomic
  serviceAccountName 8 string
  serviceAccount 9 string
  nodeName 10 string
  hostNetwork 11 boolean
  hostPID 12 boolean
  hostIPC 13 boolean
  securityContext 14 *PodSecurityContext
  imagePullSecrets 15 []LocalObjectReference list=map(name) patch=merge
  hostname 16 string
  subdomain 17 string
  affinity 18 *Affinity
  schedulerName 19 string
  initContainers 20 []Container list=map(name) patch=merge
  automountServiceAccountToken 21 *boolean
  tolerations 22 []Toleration list=atomic
  hostAliases 23 []HostAlias list=map(ip) patch=merge
  priorityClassName 24 string
  priority 25 *int32
  dnsConfig 26 *PodDNSConfig
  shareProcessNamespace 27 *boolean
  readinessGates 28 []PodReadinessGate list=atomic
  runtimeClassName 29 *string
  enableServiceLinks 30 *boolean
  preemptionPolicy 31 *string enum=Never|PreemptLowerPriority go=PreemptionPolicy
  overhead 32 map:quantity.Quantity
  topologySpreadConstraints 33 []TopologySpreadConstraint list=map(topologyKey,whenUnsatisfiable) patch=merge(topologyKey)
  ephemeralContainers 34 []EphemeralContainer list=map(name) patch=merge
  setHostnameAsFQDN 35 *boolean
  os 36 *PodOS
  hostUsers 37 *boolean
  schedulingGates 38 []PodSchedulingGate list=map(name) patch=merge
  resourceClaims 39 []PodResourceClaim list=map(name) patch=merge,retainKeys
  resources 40 *ResourceRequirements
  hostnameOverride 41 *string since=1.34
  workloadRef 42 *WorkloadReference since=1.35 until=1.36
  schedulingGroup 43 *PodSchedulingGroup since=1.36
  evictionResponders 44 []EvictionResponder list=map(name) patch=merge since=1.37

PodStatus
  @json observedGeneration phase conditions message reason nominatedNodeName hostIP hostIPs podIP podIPs startTime initContainerStatuses containerStatuses qosClass ephemeralContainerStatuses resize resourceClaimStatuses extendedResourceClaimStatus allocatedResources resources nodeAllocatableResourceClaimStatuses volumeHealth
  phase 1 string enum=Failed|Pending|Running|Succeeded|Unknown go=PodPhase
  conditions 2 []PodCondition list=map(type) patch=merge
  message 3 string
  reason 4 string
  hostIP 5 string
  podIP 6 string
  startTime 7 *meta_v1.Time
  containerStatuses 8 []ContainerStatus list=atomic
  qosClass 9 string enum=BestEffort|Burstable|Guaranteed go=PodQOSClass
  initContainerStatuses 10 []ContainerStatus list=atomic
  nominatedNodeName 11 string
  podIPs 12 []PodIP list=map(ip) patch=merge
  ephemeralContainerStatuses 13 []ContainerStatus list=atomic
  resize 14 string go=PodResizeStatus
  resourceClaimStatuses 15 []PodResourceClaimStatus list=map(name) patch=merge,retainKeys
  hostIPs 16 []HostIP list=atomic patch=merge(ip)
  observedGeneration 17 int64 since=1.33
  extendedResourceClaimStatus 18 *PodExtendedResourceClaimStatus since=1.34
  allocatedResources 19 map:quantity.Quantity since=1.35
  resources 20 *ResourceRequirements since=1.35
  nodeAllocatableResourceClaimStatuses 21 []NodeAllocatableResourceClaimStatus list@-1.37=atomic list@1.37=map(resourceClaimName) patch@1.37=merge since=1.36
  volumeHealth 22 []PodVolumeHealth list=map(name) since=1.37

PodStatusResult kind unpublished until=1.37
  metadata 1 meta_v1.ObjectMeta
  status 2 PodStatus

PodTemplateSpec
  metadata 1 meta_v1.ObjectMeta
  spec 2 PodSpec

PodVolumeHealth since=1.37
  name 1 string required
  healthConditions 2 []VolumeHealthCondition list=map(status,reason) patch=merge(status)
  lastTransitionTime 3 meta_v1.Time

SeccompProfile
  @union type localhostProfile=LocalhostProfile
  type 1 string required enum=Localhost|RuntimeDefault|Unconfined go=SeccompProfileType
  localhostProfile 2 *string

SecurityContext
  @json capabilities privileged seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot readOnlyRootFilesystem allowPrivilegeEscalation procMount seccompProfile appArmorProfile
  capabilities 1 *Capabilities
  privileged 2 *boolean
  seLinuxOptions 3 *SELinuxOptions
  runAsUser 4 *int64
  runAsNonRoot 5 *boolean
  readOnlyRootFilesystem 6 *boolean
  allowPrivilegeEscalation 7 *boolean
  runAsGroup 8 *int64
  procMount 9 *string enum=Default|Unmasked go=ProcMountType
  windowsOptions 10 *WindowsSecurityContextOptions
  seccompProfile 11 *SeccompProfile
  appArmorProfile 12 *AppArmorProfile

Sysctl
  name 1 string required
  value 2 string required

WorkloadReference since=1.35 until=1.36
  name 1 string required
  podGroup 2 string required
  podGroupReplicaKey 3 string
`,
} satisfies Declarations;
