import type { Declarations } from '../declare.ts';

export default {
  family: 'core_v1',
  group: '',
  version: 'v1',
  protobuf: 'k8s.io.api.core.v1',
  types: `
AttachedVolume
  name 1 string required go=UniqueVolumeName
  devicePath 2 string required

AvoidPods unpublished
  preferAvoidPods 1 []PreferAvoidPodsEntry list=atomic

ConfigMapNodeConfigSource
  namespace 1 string required
  name 2 string required
  uid 3 string go=types.UID
  resourceVersion 4 string
  kubeletConfigKey 5 string required

ContainerImage
  names 1 []string shown list=atomic
  sizeBytes 2 int64

DaemonEndpoint
  Port 1 int32 required

Node kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 NodeSpec
  status 3 NodeStatus

NodeAddress
  type 1 string required go=NodeAddressType
  address 2 string required

NodeCondition
  type 1 string required go=NodeConditionType
  status 2 string required go=ConditionStatus
  lastHeartbeatTime 3 meta_v1.Time
  lastTransitionTime 4 meta_v1.Time
  reason 5 string
  message 6 string

NodeConfigSource
  configMap 2 *ConfigMapNodeConfigSource

NodeConfigStatus
  assigned 1 *NodeConfigSource
  active 2 *NodeConfigSource
  lastKnownGood 3 *NodeConfigSource
  error 4 string

NodeDaemonEndpoints
  kubeletEndpoint 1 DaemonEndpoint

NodeFeatures
  supplementalGroupsPolicy 1 *boolean

NodeList kind
  metadata 1 meta_v1.ListMeta
  items 2 []Node required

NodePodPreemptionPolicy since=1.37
  disableResizePreemption 1 []string list=set

NodeProxyOptions kind unpublished
  path 1 string

NodeRuntimeHandler
  name 1 string default="" shown
  features 2 *NodeRuntimeHandlerFeatures

NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts 1 *boolean
  userNamespaces 2 *boolean

NodeSpec
  @json podCIDR podCIDRs providerID unschedulable taints configSource externalID podPreemptionPolicy
  podCIDR 1 string
  externalID 2 string
  providerID 3 string
  unschedulable 4 boolean
  taints 5 []Taint list=atomic
  configSource 6 *NodeConfigSource
  podCIDRs 7 []string list=set patch=merge
  podPreemptionPolicy 8 *NodePodPreemptionPolicy since=1.37

NodeStatus
  capacity 1 map:quantity.Quantity
  allocatable 2 map:quantity.Quantity
  phase 3 string enum=Pending|Running|Terminated go=NodePhase
  conditions 4 []NodeCondition list=map(type) patch=merge
  addresses 5 []NodeAddress list=map(type) patch=merge
  daemonEndpoints 6 NodeDaemonEndpoints
  nodeInfo 7 NodeSystemInfo
  images 8 []ContainerImage list=atomic
  volumesInUse 9 []string list=atomic go=UniqueVolumeName
  volumesAttached 10 []AttachedVolume list=atomic
  config 11 *NodeConfigStatus
  runtimeHandlers 12 []NodeRuntimeHandler list=atomic
  features 13 *NodeFeatures
  declaredFeatures 14 []string list=atomic since=1.35

NodeSwapStatus since=1.33
  capacity 1 *int64

NodeSystemInfo
  machineID 1 string required
  systemUUID 2 string required
  bootID 3 string required
  kernelVersion 4 string required
  osImage 5 string required
  containerRuntimeVersion 6 string required
  kubeletVersion 7 string required
  kubeProxyVersion 8 string required
  operatingSystem 9 string required
  architecture 10 string required
  swap 11 *NodeSwapStatus since=1.33
  runningInUserNamespace 12 *boolean since=1.37

PodSignature unpublished
  podController 1 *meta_v1.OwnerReference

PreferAvoidPodsEntry unpublished
  podSignature 1 PodSignature required
  evictionTime 2 meta_v1.Time
  reason 3 string
  message 4 string

Taint
  key 1 string required
  value 2 string
  effect 3 string required enum=NoExecute|NoSchedule|PreferNoSchedule go=TaintEffect
  timeAdded 4 *meta_v1.Time
`,
} satisfies Declarations;
