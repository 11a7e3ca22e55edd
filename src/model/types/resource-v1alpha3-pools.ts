import type { Declarations } from '../declare.ts';

export default {
  family: 'resource_v1alpha3',
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  protobuf: 'k8s.io.api.resource.v1alpha3',
  life: { since: '1.33' },
  types: `
DeviceTaintRule kind
  metadata 1 meta_v1.ObjectMeta
  spec 2 DeviceTaintRuleSpec required
  status 3 DeviceTaintRuleStatus since=1.35

DeviceTaintRuleList kind
  metadata 1 meta_v1.ListMeta
  items 2 []DeviceTaintRule required

DeviceTaintRuleSpec
  deviceSelector 1 *DeviceTaintSelector
  taint 2 DeviceTaint required

DeviceTaintRuleStatus since=1.35
  conditions 1 []meta_v1.Condition list=map(type) patch=merge

DeviceTaintSelector
  deviceClassName 1 *string until=1.35
  driver 2 *string
  pool 3 *string
  device 4 *string
  selectors 5 []DeviceSelector list=atomic until=1.35

PartitionTypeStatus since=1.37
  @json attribute type total allocatable
  type 1 string required omitted nodefault
  total 2 *int32 required
  allocatable 3 *int32 required
  attribute 4 string required omitted nodefault

PoolStatus since=1.36
  @json driver poolName generation resourceSliceCount totalDevices allocatedDevices availableDevices unavailableDevices nodeName validationError partitionSummary shareableSummary
  driver 1 string required omitted nodefault
  poolName 2 string required omitted nodefault
  nodeName 3 *string
  totalDevices 4 *int32
  allocatedDevices 5 *int32
  availableDevices 6 *int32
  unavailableDevices 7 *int32
  resourceSliceCount 8 *int32
  generation 9 int64 required
  validationError 10 *string
  partitionSummary 11 []PartitionTypeStatus list=atomic since=1.37
  shareableSummary 13 *ShareableSummaryStatus since=1.37

ResourcePoolStatusRequest kind since=1.36
  metadata 1 meta_v1.ObjectMeta required
  spec 2 ResourcePoolStatusRequestSpec required
  status 3 *ResourcePoolStatusRequestStatus

ResourcePoolStatusRequestList kind since=1.36
  metadata 1 meta_v1.ListMeta
  items 2 []ResourcePoolStatusRequest required

ResourcePoolStatusRequestSpec since=1.36
  driver 1 string required
  poolName 2 *string
  limit 3 *int32 default=100
  defaultPartitionTypeAttribute 4 *string since=1.37

ResourcePoolStatusRequestStatus since=1.36
  @json poolCount pools conditions
  pools 2 []PoolStatus list=atomic
  conditions 3 []meta_v1.Condition list=map(type) patch=merge
  poolCount 6 *int32 required

ShareableCapacityStatus since=1.37
  name 1 string required omitted nodefault
  total 2 *quantity.Quantity required
  consumed 3 *quantity.Quantity required
  available 4 *quantity.Quantity required

ShareableSummaryStatus since=1.37
  fullyAvailableDevices 1 *int32 required
  partiallyAvailableDevices 2 *int32 required
  capacity 3 []ShareableCapacityStatus list=atomic
`,
} satisfies Declarations;
