import type { Declarations } from '../declare.ts';

export default {
  family: 'resource_v1alpha3',
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  protobuf: 'k8s.io.api.resource.v1alpha3',
  types: `
AllocatedDeviceStatus
  driver 1 string required
  pool 2 string required
  device 3 string required
  conditions 4 []meta_v1.Condition shown list=map(type)
  data 5 runtime.RawExtension
  networkData 6 *NetworkDeviceData

AllocationResult
  devices 1 DeviceAllocationResult
  nodeSelector 3 *core_v1.NodeSelector

BasicDevice
  attributes 1 map:DeviceAttribute
  capacity 2 map:quantity.Quantity

CELDeviceSelector
  expression 1 string required

Device
  name 1 string required
  basic 2 *BasicDevice

DeviceAllocationConfiguration
  source 1 string required go=AllocationConfigSource
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

DeviceClaim
  requests 1 []DeviceRequest shown list=atomic
  constraints 2 []DeviceConstraint list=atomic
  config 3 []DeviceClaimConfiguration list=atomic

DeviceClaimConfiguration
  requests 1 []string list=atomic
  deviceConfiguration 2 DeviceConfiguration inline

DeviceClass kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 DeviceClassSpec required

DeviceClassConfiguration
  deviceConfiguration 1 DeviceConfiguration inline

DeviceClassList kind
  metadata 1 meta_v1.ListMeta
  items 2 []DeviceClass required

DeviceClassSpec
  selectors 1 []DeviceSelector list=atomic
  config 2 []DeviceClassConfiguration list=atomic

DeviceConfiguration unpublished
  opaque 1 *OpaqueDeviceConfiguration

DeviceConstraint
  requests 1 []string list=atomic
  matchAttribute 2 *string go=FullyQualifiedName

DeviceRequest
  name 1 string required
  deviceClassName 2 string required
  selectors 3 []DeviceSelector list=atomic
  allocationMode 4 string go=DeviceAllocationMode
  count 5 int64
  adminAccess 6 *boolean

DeviceRequestAllocationResult
  request 1 string required
  driver 2 string required
  pool 3 string required
  device 4 string required
  adminAccess 5 *boolean shown

DeviceSelector
  cel 1 *CELDeviceSelector

NetworkDeviceData
  interfaceName 1 string
  ips 2 []string list=atomic
  hardwareAddress 3 string

OpaqueDeviceConfiguration
  driver 1 string required
  parameters 2 runtime.RawExtension required

ResourceClaim kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimSpec required
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
  devices 4 []AllocatedDeviceStatus list=map(driver,device,pool)

ResourceClaimTemplate kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimTemplateSpec required

ResourceClaimTemplateList kind
  metadata 1 meta_v1.ListMeta
  items 2 []ResourceClaimTemplate required

ResourceClaimTemplateSpec
  metadata 1 meta_v1.ObjectMeta
  spec 2 ResourceClaimSpec required

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
  nodeName 3 string
  nodeSelector 4 *core_v1.NodeSelector
  allNodes 5 boolean
  devices 6 []Device shown list=atomic
`,
} satisfies Declarations;
