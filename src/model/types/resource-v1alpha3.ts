import type { Declarations } from '../declare.ts';

export default {
  family: 'resource_v1alpha3',
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  protobuf: 'k8s.io.api.resource.v1alpha3',
  types: `
AllocatedDeviceStatus until=1.34
  driver 1 string required
  pool 2 string required
  device 3 string required
  conditions 4 []meta_v1.Condition shown list=map(type)
  data 5 runtime.RawExtension until=1.33
  data 5 *runtime.RawExtension since=1.33
  networkData 6 *NetworkDeviceData

AllocationResult until=1.34
  devices 1 DeviceAllocationResult
  nodeSelector 3 *core_v1.NodeSelector

BasicDevice until=1.34
  attributes 1 map:DeviceAttribute
  capacity 2 map:quantity.Quantity
  consumesCounters 3 []DeviceCounterConsumption list=atomic since=1.33
  nodeName 4 *string since=1.33
  nodeSelector 5 *core_v1.NodeSelector since=1.33
  allNodes 6 *boolean since=1.33
  taints 7 []DeviceTaint list=atomic since=1.33

CELDeviceSelector
  expression 1 string required

Counter since=1.33 until=1.34
  value 1 quantity.Quantity required

CounterSet since=1.33 until=1.34
  name 1 string required
  counters 2 map:Counter required omitted

Device until=1.34
  name 1 string required
  basic 2 *BasicDevice

DeviceAllocationConfiguration until=1.34
  source 1 string required go=AllocationConfigSource
  requests 2 []string list=atomic
  deviceConfiguration 3 DeviceConfiguration inline

DeviceAllocationResult until=1.34
  results 1 []DeviceRequestAllocationResult list=atomic
  config 2 []DeviceAllocationConfiguration list=atomic

DeviceAttribute until=1.34
  int 2 *int64
  bool 3 *boolean
  string 4 *string
  version 5 *string

DeviceClaim until=1.34
  requests 1 []DeviceRequest shown list=atomic
  constraints 2 []DeviceConstraint list=atomic
  config 3 []DeviceClaimConfiguration list=atomic

DeviceClaimConfiguration until=1.34
  requests 1 []string list=atomic
  deviceConfiguration 2 DeviceConfiguration inline

DeviceClass kind until=1.34
  metadata 1 meta_v1.ObjectMeta
  spec 2 DeviceClassSpec required

DeviceClassConfiguration until=1.34
  deviceConfiguration 1 DeviceConfiguration inline

DeviceClassList kind until=1.34
  metadata 1 meta_v1.ListMeta
  items 2 []DeviceClass required

DeviceClassSpec until=1.34
  selectors 1 []DeviceSelector list=atomic
  config 2 []DeviceClassConfiguration list=atomic

DeviceConfiguration unpublished until=1.34
  opaque 1 *OpaqueDeviceConfiguration

DeviceConstraint until=1.34
  requests 1 []string list=atomic
  matchAttribute 2 *string go=FullyQualifiedName

DeviceCounterConsumption since=1.33 until=1.34
  counterSet 1 string required
  counters 2 map:Counter required omitted

DeviceRequest until=1.34
  name 1 string required
  deviceClassName 2 string required@-1.33 shown@1.33 default@1.33=""
  selectors 3 []DeviceSelector list=atomic
  allocationMode 4 string go=DeviceAllocationMode
  count 5 int64
  adminAccess 6 *boolean
  firstAvailable 7 []DeviceSubRequest list=atomic since=1.33
  tolerations 8 []DeviceToleration list=atomic since=1.33

DeviceRequestAllocationResult until=1.34
  request 1 string required
  driver 2 string required
  pool 3 string required
  device 4 string required
  adminAccess 5 *boolean shown
  tolerations 6 []DeviceToleration list=atomic since=1.33

DeviceSelector
  cel 1 *CELDeviceSelector

DeviceSubRequest since=1.33 until=1.34
  name 1 string required
  deviceClassName 2 string required
  selectors 3 []DeviceSelector list=atomic
  allocationMode 4 string go=DeviceAllocationMode
  count 5 int64
  tolerations 7 []DeviceToleration list=atomic

DeviceTaint since=1.33
  key 1 string required
  value 2 string
  effect 3 string required go=DeviceTaintEffect enum=NoExecute|NoSchedule|None@1.35
  timeAdded 4 *meta_v1.Time

DeviceToleration since=1.33 until=1.34
  key 1 string
  operator 2 string default="Equal" enum=Equal|Exists go=DeviceTolerationOperator
  value 3 string
  effect 4 string enum=NoExecute|NoSchedule go=DeviceTaintEffect
  tolerationSeconds 5 *int64

NetworkDeviceData until=1.34
  interfaceName 1 string
  ips 2 []string list=atomic
  hardwareAddress 3 string

OpaqueDeviceConfiguration until=1.34
  driver 1 string required
  parameters 2 runtime.RawExtension required

ResourceClaim kind until=1.34
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimSpec required
  status 3 ResourceClaimStatus

ResourceClaimConsumerReference until=1.34
  apiGroup 1 string
  resource 3 string required
  name 4 string required
  uid 5 string required go=types.UID

ResourceClaimList kind until=1.34
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceClaim required

ResourceClaimSpec until=1.34
  devices 1 DeviceClaim

ResourceClaimStatus until=1.34
  allocation 1 *AllocationResult
  reservedFor 2 []ResourceClaimConsumerReference list=map(uid) patch=merge
  devices 4 []AllocatedDeviceStatus list=map(driver,device,pool)

ResourceClaimTemplate kind until=1.34
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimTemplateSpec required

ResourceClaimTemplateList kind until=1.34
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceClaimTemplate required

ResourceClaimTemplateSpec until=1.34
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimSpec required

ResourcePool until=1.34
  name 1 string required
  generation 2 int64 required
  resourceSliceCount 3 int64 required

ResourceSlice kind until=1.34
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceSliceSpec required

ResourceSliceList kind until=1.34
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceSlice required

ResourceSliceSpec until=1.34
  driver 1 string required
  pool 2 ResourcePool required
  nodeName 3 string
  nodeSelector 4 *core_v1.NodeSelector
  allNodes 5 boolean
  devices 6 []Device shown list=atomic
  perDeviceNodeSelection 7 *boolean since=1.33
  sharedCounters 8 []CounterSet list=atomic since=1.33
`,
} satisfies Declarations;
