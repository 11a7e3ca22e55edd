import type { Declarations } from '../declare.ts';

export default {
  family: 'resource_v1beta2',
  group: 'resource.k8s.io',
  version: 'v1beta2',
  protobuf: 'k8s.io.api.resource.v1beta2',
  life: { since: '1.33' },
  types: `
AllocatedDeviceStatus
  @json driver pool device shareID conditions data networkData
  driver 1 string required
  pool 2 string required
  device 3 string required
  conditions 4 []meta_v1.Condition shown list=map(type)
  data 5 *runtime.RawExtension
  networkData 6 *NetworkDeviceData
  shareID 7 *string since=1.34

AllocationResult
  devices 1 DeviceAllocationResult
  nodeSelector 3 *core_v1.NodeSelector
  allocationTimestamp 5 *meta_v1.Time since=1.34

CELDeviceSelector
  expression 1 string required

CapacityRequestPolicy since=1.34
  default 1 *quantity.Quantity shown
  validValues 3 []quantity.Quantity list=atomic
  validRange 4 *CapacityRequestPolicyRange

CapacityRequestPolicyRange since=1.34
  min 1 *quantity.Quantity required
  max 2 *quantity.Quantity
  step 3 *quantity.Quantity

CapacityRequirements since=1.34
  requests 1 map:quantity.Quantity

Counter
  value 1 quantity.Quantity required

CounterSet
  name 1 string required
  counters 2 map:Counter required omitted

Device
  name 1 string required
  attributes 2 map:DeviceAttribute
  capacity 3 map:DeviceCapacity
  consumesCounters 4 []DeviceCounterConsumption list=atomic
  nodeName 5 *string
  nodeSelector 6 *core_v1.NodeSelector
  allNodes 7 *boolean
  taints 8 []DeviceTaint list=atomic
  bindsToNode 9 *boolean since=1.34
  bindingConditions 10 []string list=atomic since=1.34
  bindingFailureConditions 11 []string list=atomic since=1.34
  allowMultipleAllocations 12 *boolean since=1.34
  nodeAllocatableResourceMappings 13 map:NodeAllocatableResourceMapping since=1.36 until=1.37
  nodeAllocatableResources 14 map:NodeAllocatableResource since=1.37

DeviceAllocationConfiguration
  source 1 string required go=AllocationConfigSource enum@1.35=FromClaim|FromClass
  requests 2 []string list=atomic
  deviceConfiguration 3 DeviceConfiguration inline

DeviceAllocationResult
  results 1 []DeviceRequestAllocationResult list=atomic
  config 2 []DeviceAllocationConfiguration list=atomic

DeviceAttribute
  int 2 *int64
  bool 3 *boolean
  string 4 *string
  version 5 *string
  ints 6 []int64 list=atomic since=1.36
  bools 7 []boolean list=atomic since=1.36
  strings 8 []string list=atomic since=1.36
  versions 9 []string list=atomic since=1.36

DeviceCapacity
  value 1 quantity.Quantity required
  requestPolicy 2 *CapacityRequestPolicy since=1.34

DeviceClaim
  requests 1 []DeviceRequest shown list=atomic
  constraints 2 []DeviceConstraint list=atomic
  config 3 []DeviceClaimConfiguration list=atomic

DeviceClaimConfiguration
  requests 1 []string list=atomic
  deviceConfiguration 2 DeviceConfiguration inline

DeviceClass kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 DeviceClassSpec required@-1.37

DeviceClassConfiguration
  deviceConfiguration 1 DeviceConfiguration inline

DeviceClassList kind
  metadata 1 meta_v1.ListMeta
  items 2 []DeviceClass required

DeviceClassSpec
  selectors 1 []DeviceSelector list=atomic
  config 2 []DeviceClassConfiguration list=atomic
  extendedResourceName 4 *string since=1.34

DeviceConfiguration
  opaque 1 *OpaqueDeviceConfiguration

DeviceConstraint
  requests 1 []string list=atomic
  matchAttribute 2 *string go=FullyQualifiedName
  distinctAttribute 3 *string go=FullyQualifiedName since=1.34

DeviceCounterConsumption
  counterSet 1 string required
  counters 2 map:Counter required omitted
  compatibilityGroups 3 []string list=atomic since=1.37

DeviceDerivedAttribute since=1.37
  name 1 string required go=FullyQualifiedName
  expression 2 string required

DeviceRequest
  name 1 string required
  exactly 2 *ExactDeviceRequest
  firstAvailable 3 []DeviceSubRequest list=atomic

DeviceRequestAllocationResult
  request 1 string required
  driver 2 string required
  pool 3 string required
  device 4 string required
  adminAccess 5 *boolean shown@-1.34
  tolerations 6 []DeviceToleration list=atomic
  bindingConditions 7 []string list=atomic since=1.34
  bindingFailureConditions 8 []string list=atomic since=1.34
  shareID 9 *string go=types.UID since=1.34
  consumedCapacity 10 map:quantity.Quantity since=1.34
  skipNodeOperations 11 []string itemsEnum=*|NodePrepareResources|NodeUnprepareResources list=set go=SkipNodeOperation since=1.37

DeviceSelector
  cel 1 *CELDeviceSelector

DeviceSubRequest
  name 1 string required
  deviceClassName 2 string required
  selectors 3 []DeviceSelector list=atomic
  allocationMode 4 string go=DeviceAllocationMode
  count 5 int64
  tolerations 6 []DeviceToleration list=atomic
  capacity 7 *CapacityRequirements since=1.34
  derivedAttributes 8 []DeviceDerivedAttribute list=atomic since=1.37

DeviceTaint
  key 1 string required
  value 2 string
  effect 3 string required go=DeviceTaintEffect enum=NoExecute|NoSchedule|None@1.35
  timeAdded 4 *meta_v1.Time

DeviceTaintRule kind since=1.36
  metadata 1 meta_v1.ObjectMeta
  spec 2 DeviceTaintRuleSpec required
  status 3 DeviceTaintRuleStatus

DeviceTaintRuleList kind since=1.36
  metadata 1 meta_v1.ListMeta
  items 2 []DeviceTaintRule required

DeviceTaintRuleSpec since=1.36
  deviceSelector 1 *DeviceTaintSelector
  taint 2 DeviceTaint required

DeviceTaintRuleStatus since=1.36
  conditions 1 []meta_v1.Condition list=map(type) patch=merge

DeviceTaintSelector since=1.36
  driver 2 *string
  pool 3 *string
  device 4 *string

DeviceToleration
  key 1 string
  operator 2 string default="Equal" enum=Equal|Exists go=DeviceTolerationOperator
  value 3 string
  effect 4 string go=DeviceTaintEffect enum=NoExecute|NoSchedule|None@1.35
  tolerationSeconds 5 *int64

ExactDeviceRequest
  deviceClassName 1 string required
  selectors 2 []DeviceSelector list=atomic
  allocationMode 3 string go=DeviceAllocationMode
  count 4 int64
  adminAccess 5 *boolean
  tolerations 6 []DeviceToleration list=atomic
  capacity 7 *CapacityRequirements since=1.34
  derivedAttributes 8 []DeviceDerivedAttribute list=atomic since=1.37

NetworkDeviceData
  interfaceName 1 string
  ips 2 []string list=atomic
  hardwareAddress 3 string

NodeAllocatableMapping since=1.37
  capacityKey 1 *string go=QualifiedName
  capacityMultiplier 2 *quantity.Quantity
  deviceMultiplier 3 *quantity.Quantity

NodeAllocatableOverhead since=1.37
  perPod 1 *quantity.Quantity
  perContainer 2 *quantity.Quantity

NodeAllocatableResource since=1.37
  mapping 3 *NodeAllocatableMapping
  overhead 4 *NodeAllocatableOverhead

NodeAllocatableResourceMapping since=1.36 until=1.37
  capacityKey 1 *string go=QualifiedName
  allocationMultiplier 2 *quantity.Quantity

OpaqueDeviceConfiguration
  driver 1 string required
  parameters 2 runtime.RawExtension required

ResourceClaim kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimSpec required@-1.37
  status 3 ResourceClaimStatus

ResourceClaimConsumerReference
  apiGroup 1 string
  resource 3 string required
  name 4 string required
  uid 5 string required go=types.UID

ResourceClaimList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceClaim required

ResourceClaimSpec
  devices 1 DeviceClaim

ResourceClaimStatus
  allocation 1 *AllocationResult
  reservedFor 2 []ResourceClaimConsumerReference list=map(uid) patch=merge
  devices 4 []AllocatedDeviceStatus list@-1.34=map(driver,device,pool) list@1.34=map(driver,device,pool,shareID)

ResourceClaimTemplate kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimTemplateSpec required@-1.37

ResourceClaimTemplateList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceClaimTemplate required

ResourceClaimTemplateSpec
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimSpec required@-1.37

ResourcePool
  name 1 string required
  generation 2 int64 required
  resourceSliceCount 3 int64 required

ResourceSlice kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceSliceSpec required

ResourceSliceList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceSlice required

ResourceSliceSpec
  driver 1 string required
  pool 2 ResourcePool required
  nodeName 3 *string
  nodeSelector 4 *core_v1.NodeSelector
  allNodes 5 *boolean
  devices 6 []Device shown@-1.35 list=atomic
  perDeviceNodeSelection 7 *boolean
  sharedCounters 8 []CounterSet list=atomic
  partitionTypeAttribute 9 *string go=FullyQualifiedName since=1.37
  skipNodeOperations 10 []string itemsEnum=*|NodePrepareResources|NodeUnprepareResources list=set go=SkipNodeOperation since=1.37
`,
} satisfies Declarations;
