/** Kinds of the group resource.k8s.io: claims, requests and classes of devices. */
export const RESOURCE: Readonly<Record<string, string>> = {
  DeviceClass: 'Class of devices with selectors and configuration.',
  ResourceClaim: 'Request for devices.',
  ResourceClaimTemplate: 'Template for the resource claims of pods.',
  ResourceSlice: 'Devices of a resource pool, published by a driver.',
  ResourceClaimSpec: 'What a claim requests.',
  'ResourceClaimSpec.devices': 'Requested devices.',
  ResourceClaimTemplateSpec: 'Claims that are made from a template.',
  'ResourceClaimTemplateSpec.metadata': 'Labels and annotations of the claims.',
  'ResourceClaimTemplateSpec.spec': 'Specification of the claims, copied unchanged.',
  DeviceClaim: 'Requested devices.',
  'DeviceClaim.requests': 'Requests that must all be satisfied; at most 32.',
  'DeviceClaim.constraints': 'Constraints on the devices of several requests; at most 32.',
  'DeviceClaim.config': 'Configuration for drivers; at most 32. It is added to that of the device classes.',
  DeviceClaimConfiguration: 'Configuration for some requests.',
  'DeviceClaimConfiguration.requests':
    'Requests that the configuration is for; REQUEST/SUBREQUEST for one alternative. Empty means all.',
  'DeviceClaimConfiguration.opaque': 'Configuration that only a driver understands.',
  DeviceClassConfiguration: 'Configuration for devices of a class.',
  'DeviceClassConfiguration.opaque': 'Configuration that only a driver understands.',
  DeviceAllocationConfiguration: 'Configuration from a claim or a class.',
  'DeviceAllocationConfiguration.opaque': 'Configuration that only a driver understands.',
  'DeviceAllocationConfiguration.source': 'FromClass or FromClaim: where the configuration comes from.',
  'DeviceAllocationConfiguration.requests':
    'Requests that the configuration is for; REQUEST/SUBREQUEST for one alternative. Empty means all.',
  OpaqueDeviceConfiguration: 'Configuration that only a driver understands.',
  'OpaqueDeviceConfiguration.driver': 'Name of the driver; a DNS subdomain.',
  'OpaqueDeviceConfiguration.parameters':
    'Object for the driver, usually with apiVersion and kind; at most 10 KiB.',
  DeviceConstraint: 'Constraint on devices. One of matchAttribute and distinctAttribute is set.',
  'DeviceConstraint.requests':
    'Requests whose devices are compared; REQUEST/SUBREQUEST for one alternative. Empty means all.',
  'DeviceConstraint.matchAttribute': 'Attribute with a domain that must exist and be equal for all devices.',
  'DeviceConstraint.distinctAttribute':
    'Attribute with a domain that must exist and be different for each device.',
  DeviceRequest: 'Request for devices of a class: one way to satisfy it, or several alternatives.',
  'DeviceRequest.name': 'Name of the request, a DNS label, unique in the claim.',
  'DeviceRequest.firstAvailable':
    'Alternatives of which the first one that can be satisfied is used; at most 8. Excludes a request for exactly one kind.',
  'DeviceRequest.exactly': 'Request for devices of one class. Excludes firstAvailable.',
  'DeviceRequest.deviceClassName': 'DeviceClass of the devices. Needed where devices are requested.',
  'DeviceRequest.selectors':
    'Conditions that a device must all meet, in addition to those of the class; at most 32.',
  'DeviceRequest.allocationMode':
    'ExactCount allocates count devices; All those of the pool that match. Default: ExactCount.',
  'DeviceRequest.count': 'Number of devices for ExactCount, above 0. Default: 1.',
  'DeviceRequest.tolerations': 'Taints of devices that are tolerated; at most 16.',
  'DeviceRequest.capacity':
    'Capacity of each device that is needed. Devices that allow several allocations are shared by it.',
  'DeviceRequest.derivedAttributes':
    'Attributes computed from those of a device, for use in constraints; at most 32, each used in one.',
  'DeviceRequest.adminAccess':
    'Whether devices are requested for administration, without regard to other claims. Only in namespaces with the label resource.kubernetes.io/admin-access (earlier releases: resource.k8s.io/admin-access).',
  DeviceSubRequest: 'One alternative of a request.',
  'DeviceSubRequest.name': 'Name of the alternative, a DNS label. It is referred to as REQUEST/SUBREQUEST.',
  'DeviceSubRequest.deviceClassName': 'DeviceClass of the devices. Needed where devices are requested.',
  'DeviceSubRequest.selectors':
    'Conditions that a device must all meet, in addition to those of the class; at most 32.',
  'DeviceSubRequest.allocationMode':
    'ExactCount allocates count devices; All those of the pool that match. Default: ExactCount.',
  'DeviceSubRequest.count': 'Number of devices for ExactCount, above 0. Default: 1.',
  'DeviceSubRequest.tolerations': 'Taints of devices that are tolerated; at most 16.',
  'DeviceSubRequest.capacity':
    'Capacity of each device that is needed. Devices that allow several allocations are shared by it.',
  'DeviceSubRequest.derivedAttributes':
    'Attributes computed from those of a device, for use in constraints; at most 32, each used in one.',
  ExactDeviceRequest: 'Request for devices of one class.',
  'ExactDeviceRequest.deviceClassName': 'DeviceClass of the devices. Needed where devices are requested.',
  'ExactDeviceRequest.selectors':
    'Conditions that a device must all meet, in addition to those of the class; at most 32.',
  'ExactDeviceRequest.allocationMode':
    'ExactCount allocates count devices; All those of the pool that match. Default: ExactCount.',
  'ExactDeviceRequest.count': 'Number of devices for ExactCount, above 0. Default: 1.',
  'ExactDeviceRequest.tolerations': 'Taints of devices that are tolerated; at most 16.',
  'ExactDeviceRequest.capacity':
    'Capacity of each device that is needed. Devices that allow several allocations are shared by it.',
  'ExactDeviceRequest.derivedAttributes':
    'Attributes computed from those of a device, for use in constraints; at most 32, each used in one.',
  'ExactDeviceRequest.adminAccess':
    'Whether devices are requested for administration, without regard to other claims. Only in namespaces with the label resource.kubernetes.io/admin-access (earlier releases: resource.k8s.io/admin-access).',
  DeviceDerivedAttribute: 'Attribute that is computed from those of a device.',
  'DeviceDerivedAttribute.name':
    'Name with a domain, used in constraints. It hides an attribute of the device with the same name.',
  'DeviceDerivedAttribute.expression':
    'CEL expression on device with a scalar or a list of scalars as result; at most 10 KiB. An error fails the scheduling of the pod.',
  DeviceSelector: 'Condition on a device.',
  'DeviceSelector.cel': 'Condition in CEL.',
  CELDeviceSelector: 'Condition in CEL.',
  'CELDeviceSelector.expression':
    'Expression with a boolean result. The variable device has driver, attributes and capacity; at most 10 KiB.',
  CapacityRequirements: 'Capacity that is needed.',
  'CapacityRequirements.requests':
    'Amount of each capacity. Devices with less do not match; the request policy of the device can round it up.',
  DeviceToleration: 'Taints of devices that are tolerated.',
  'DeviceToleration.key': 'Key of the taint. Empty matches all keys; operator must then be Exists.',
  'DeviceToleration.operator': 'Exists ignores the value, Equal compares it. Default: Equal.',
  'DeviceToleration.value': 'Value of the taint; empty for Exists.',
  'DeviceToleration.effect': 'NoSchedule or NoExecute. Empty matches all effects.',
  'DeviceToleration.tolerationSeconds':
    'Seconds for which a taint with the effect NoExecute is tolerated. Absent means for ever; 0 and below evict at once.',
  ResourceClaimStatus: 'Allocation and use of a claim.',
  'ResourceClaimStatus.allocation': 'Devices that the claim got. Absent before the allocation.',
  'ResourceClaimStatus.reservedFor':
    'Consumers that may use the claim; at most 256. A pod starts only when it is listed.',
  'ResourceClaimStatus.devices': 'Status of allocated devices, as drivers report it.',
  AllocationResult: 'Devices that a claim got.',
  'AllocationResult.devices': 'Devices and their configuration.',
  'AllocationResult.nodeSelector': 'Nodes from which the devices can be used. Absent means all.',
  'AllocationResult.allocationTimestamp': 'Time of the allocation.',
  DeviceAllocationResult: 'Devices of a claim and their configuration.',
  'DeviceAllocationResult.results': 'The allocated devices.',
  'DeviceAllocationResult.config':
    'Configuration from the claim and the classes, in the order in which drivers apply it.',
  DeviceRequestAllocationResult: 'Device that was allocated for a request.',
  'DeviceRequestAllocationResult.request': 'Name of the request, or REQUEST/SUBREQUEST for an alternative.',
  'DeviceRequestAllocationResult.adminAccess':
    "Copy of the request's adminAccess: the device may have other users.",
  'DeviceRequestAllocationResult.tolerations': "Copy of the request's tolerations.",
  'DeviceRequestAllocationResult.bindingConditions':
    "Copy of the device's binding conditions at the time of the allocation.",
  'DeviceRequestAllocationResult.bindingFailureConditions':
    "Copy of the device's binding failure conditions at the time of the allocation.",
  'DeviceRequestAllocationResult.consumedCapacity':
    'Capacity of the device that this allocation uses, rounded by the request policy. Only for devices that allow several allocations.',
  'DeviceRequestAllocationResult.skipNodeOperations':
    "Copy of the slice's skipNodeOperations at the time of the allocation.",
  'DeviceRequestAllocationResult.driver': 'Driver of the device.',
  'DeviceRequestAllocationResult.pool': 'Pool of the device.',
  'DeviceRequestAllocationResult.device': 'Name of the device in its pool.',
  'DeviceRequestAllocationResult.shareID': 'Tells shares of a device apart that allows several allocations.',
  AllocatedDeviceStatus: 'Status of an allocated device, written by its driver.',
  'AllocatedDeviceStatus.driver': 'Driver of the device.',
  'AllocatedDeviceStatus.pool': 'Pool of the device.',
  'AllocatedDeviceStatus.device': 'Name of the device in its pool.',
  'AllocatedDeviceStatus.shareID': 'Tells shares of a device apart that allows several allocations.',
  'AllocatedDeviceStatus.data': 'Data of the driver, at most 10 KiB.',
  'AllocatedDeviceStatus.networkData': 'Addresses of a network device.',
  'AllocatedDeviceStatus.conditions': 'Conditions of the device; at most 8.',
  NetworkDeviceData: 'Addresses of a network device.',
  'NetworkDeviceData.interfaceName': 'Name of the interface in the pod; at most 256 characters.',
  'NetworkDeviceData.ips': 'Addresses of the interface in CIDR notation.',
  'NetworkDeviceData.hardwareAddress':
    'Hardware address of the interface, such as a MAC address; at most 128 characters.',
  ResourceClaimConsumerReference: 'Consumer of a claim.',
  'ResourceClaimConsumerReference.apiGroup': 'API group of the consumer; empty for the core group.',
  'ResourceClaimConsumerReference.resource': 'Resource of the consumer, usually pods.',
  'ResourceClaimConsumerReference.name': "Name of the consumer in the claim's namespace.",
  'ResourceClaimConsumerReference.uid': 'UID of the consumer.',
  DeviceClassSpec: 'Devices of a class.',
  'DeviceClassSpec.selectors': 'Conditions that a device of the class must all meet; at most 32.',
  'DeviceClassSpec.config': 'Configuration that drivers get for each device of the class; at most 32.',
  'DeviceClassSpec.extendedResourceName':
    'Extended resource, such as example.com/gpu, that pods can request to get devices of this class. The newest class with the name is used.',
};
