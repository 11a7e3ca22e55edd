/** Devices in resource slices. */
export const RESOURCE_SLICES: Readonly<Record<string, string>> = {
  ResourceSliceSpec: 'Devices of a pool, and the nodes that can use them.',
  'ResourceSliceSpec.driver': 'Name of the driver that publishes the slice. Cannot be changed.',
  'ResourceSliceSpec.pool': 'Pool to which the devices belong.',
  'ResourceSliceSpec.nodeName':
    'Node that has the devices. Exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is set. Cannot be changed.',
  'ResourceSliceSpec.nodeSelector': 'Nodes that can use the devices, with exactly one term.',
  'ResourceSliceSpec.allNodes': 'Whether all nodes can use the devices.',
  'ResourceSliceSpec.devices': 'The devices; at most 128, fewer if they have taints or consume counters.',
  'ResourceSliceSpec.perDeviceNodeSelection': 'Whether each device says which nodes can use it.',
  'ResourceSliceSpec.sharedCounters':
    'Counters that the devices of the pool consume. In later releases in slices without devices.',
  'ResourceSliceSpec.partitionTypeAttribute':
    'Attribute that names the partition type of each device that consumes counters. Devices with the same value consume the same amounts.',
  'ResourceSliceSpec.skipNodeOperations':
    'Calls to the driver on the node that are not needed for the devices: NodePrepareResources, NodeUnprepareResources or *.',
  ResourcePool: 'Pool of devices, spread over one or more slices.',
  'ResourcePool.name':
    'Name of the pool, often that of the node: DNS subdomains separated by slashes. Cannot be changed.',
  'ResourcePool.generation':
    'Increased with each change of the pool. Slices with a lower generation are ignored.',
  'ResourcePool.resourceSliceCount':
    'Number of slices of the pool in this generation; allocation waits until all are there.',
  Device: 'A device that can be allocated.',
  'Device.name': 'Name of the device, a DNS label, unique in the pool.',
  'Device.basic': 'Properties of the device.',
  'Device.attributes':
    "Attributes by name, with or without the driver's domain. At most 32 together with capacity.",
  'Device.capacity':
    "Capacity by name, with or without the driver's domain. At most 32 together with attributes.",
  'Device.consumesCounters': 'Counters that an allocation of the device consumes.',
  'Device.nodeName': 'Node that can use the device. Only with perDeviceNodeSelection of the slice.',
  'Device.nodeSelector':
    'Nodes that can use the device, with exactly one term. Only with perDeviceNodeSelection of the slice.',
  'Device.allNodes': 'Whether all nodes can use the device. Only with perDeviceNodeSelection of the slice.',
  'Device.taints': 'Taints of the device, set by its driver.',
  'Device.bindsToNode':
    'Whether the claim is usable only on the node for which the device was allocated. Default: false.',
  'Device.bindingConditions':
    'Conditions of the device that must be True before the pod is bound; at most 4.',
  'Device.bindingFailureConditions':
    'Conditions of the device that make the scheduler give up the allocation when one is True; at most 4.',
  'Device.allowMultipleAllocations': 'Whether several requests can share the device. Default: false.',
  'Device.nodeAllocatableResourceMappings':
    'Resources of the node, such as cpu, that an allocation of the device uses.',
  'Device.nodeAllocatableResources':
    'Resources of the node, such as cpu or memory, that an allocation of the device uses.',
  BasicDevice: 'Properties of a device.',
  'BasicDevice.attributes':
    "Attributes by name, with or without the driver's domain. At most 32 together with capacity.",
  'BasicDevice.capacity':
    "Capacity by name, with or without the driver's domain. At most 32 together with attributes.",
  'BasicDevice.consumesCounters': 'Counters that an allocation of the device consumes.',
  'BasicDevice.nodeName': 'Node that can use the device. Only with perDeviceNodeSelection of the slice.',
  'BasicDevice.nodeSelector':
    'Nodes that can use the device, with exactly one term. Only with perDeviceNodeSelection of the slice.',
  'BasicDevice.allNodes':
    'Whether all nodes can use the device. Only with perDeviceNodeSelection of the slice.',
  'BasicDevice.taints': 'Taints of the device, set by its driver.',
  'BasicDevice.bindsToNode':
    'Whether the claim is usable only on the node for which the device was allocated. Default: false.',
  'BasicDevice.bindingConditions':
    'Conditions of the device that must be True before the pod is bound; at most 4.',
  'BasicDevice.bindingFailureConditions':
    'Conditions of the device that make the scheduler give up the allocation when one is True; at most 4.',
  'BasicDevice.allowMultipleAllocations': 'Whether several requests can share the device. Default: false.',
  'BasicDevice.nodeAllocatableResourceMappings':
    'Resources of the node, such as cpu, that an allocation of the device uses.',
  'BasicDevice.nodeAllocatableResources':
    'Resources of the node, such as cpu or memory, that an allocation of the device uses.',
  DeviceAttribute: 'Value of an attribute. Exactly one member is set.',
  'DeviceAttribute.int': 'An integer.',
  'DeviceAttribute.bool': 'A boolean.',
  'DeviceAttribute.string': 'A string of at most 64 characters.',
  'DeviceAttribute.version': 'A semantic version of at most 64 characters.',
  'DeviceAttribute.ints': 'A list of integers.',
  'DeviceAttribute.bools': 'A list of booleans.',
  'DeviceAttribute.strings': 'A list of strings.',
  'DeviceAttribute.versions': 'A list of semantic versions.',
  DeviceCapacity: 'Capacity of a device.',
  'DeviceCapacity.value': 'Total amount.',
  'DeviceCapacity.requestPolicy':
    'Amounts that one request can get. Absent means any up to the total. Only for devices that allow several allocations.',
  CapacityRequestPolicy: 'Amounts that one request can get.',
  'CapacityRequestPolicy.default': 'Amount for requests that name none.',
  'CapacityRequestPolicy.validValues':
    'Amounts that are possible, ascending; requests are rounded up to the next. At most 10. Excludes validRange.',
  'CapacityRequestPolicy.validRange': 'Range of amounts that are possible. Excludes validValues.',
  CapacityRequestPolicyRange: 'Range of amounts.',
  'CapacityRequestPolicyRange.min': 'Smallest amount; smaller requests are rounded up to it.',
  'CapacityRequestPolicyRange.max': 'Largest amount; larger requests do not match the device.',
  'CapacityRequestPolicyRange.step':
    'Distance between amounts above min; requests are rounded up to the next.',
  CounterSet: 'Named set of counters.',
  'CounterSet.name': 'Name of the set, a DNS label, unique in the pool.',
  'CounterSet.counters': 'Counters by name; at most 32.',
  Counter: 'An amount.',
  'Counter.value': 'Amount that is available or consumed.',
  DeviceCounterConsumption: 'Counters of a set that a device consumes.',
  'DeviceCounterConsumption.counterSet': 'Name of the set.',
  'DeviceCounterConsumption.counters': 'Amount of each counter; at most 32.',
  'DeviceCounterConsumption.compatibilityGroups':
    'Groups of which devices that consume from the set at the same time must share one. Empty means none; such devices fit only to each other. At most 2.',
  DeviceTaint: 'Taint of a device: claims that do not tolerate it do not get the device.',
  'DeviceTaint.key': 'Key of the taint.',
  'DeviceTaint.value': 'Value of the taint.',
  'DeviceTaint.effect':
    'NoSchedule keeps new claims off the device; NoExecute also ends pods that use it; None, in later releases, only informs.',
  'DeviceTaint.timeAdded': 'Time at which the taint was added. Set by the server if absent.',
  DeviceTaintRule: 'Adds a taint to all devices that match.',
  DeviceTaintRuleSpec: 'Devices and their taint.',
  'DeviceTaintRuleSpec.deviceSelector':
    'Devices that get the taint: those that meet all of its conditions. Without conditions all devices, absent none.',
  'DeviceTaintRuleSpec.taint': 'Taint of the devices.',
  DeviceTaintRuleStatus: 'What the controller of the rule has done.',
  'DeviceTaintRuleStatus.conditions':
    'EvictionInProgress tells whether pods are being ended because of the rule; at most 8 conditions.',
  DeviceTaintSelector: 'Conditions that a device must all meet.',
  'DeviceTaintSelector.deviceClassName': 'Class whose selectors the device meets.',
  'DeviceTaintSelector.driver': 'Driver of the device.',
  'DeviceTaintSelector.pool': 'Pool of the device.',
  'DeviceTaintSelector.device': 'Name of the device in its pool.',
  'DeviceTaintSelector.selectors': 'Expressions that the device meets; at most 32.',
  NodeAllocatableResourceMapping: 'How much of a resource of the node an allocation uses.',
  'NodeAllocatableResourceMapping.capacityKey':
    'Capacity of the device whose consumed amount is multiplied. Absent means that devices are counted.',
  'NodeAllocatableResourceMapping.allocationMultiplier':
    'Factor for the capacity or the number of devices. Default: 1.',
  NodeAllocatableResource: 'How much of a resource of the node an allocation uses.',
  'NodeAllocatableResource.mapping':
    'The device is itself this resource, such as CPUs: the amount counts once for each claim, which pods cannot share.',
  'NodeAllocatableResource.overhead':
    'The device needs this resource beside itself, such as memory of the host: the amount counts for each pod with the claim.',
  NodeAllocatableMapping:
    'Amount of a resource that devices represent: by capacityKey and capacityMultiplier, or by deviceMultiplier.',
  'NodeAllocatableMapping.capacityKey':
    'Capacity of the device whose consumed amount is multiplied by capacityMultiplier.',
  'NodeAllocatableMapping.capacityMultiplier': 'Factor for the consumed capacity. Only with capacityKey.',
  'NodeAllocatableMapping.deviceMultiplier':
    'Factor for the number of allocated devices. Excludes capacityKey.',
  NodeAllocatableOverhead:
    'Amount of a resource that devices need beside themselves: perPod plus perContainer for each reference.',
  'NodeAllocatableOverhead.perPod': 'Amount for each pod that uses the claim.',
  'NodeAllocatableOverhead.perContainer': 'Amount for each container that refers to the claim.',
};
