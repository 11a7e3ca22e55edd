/** Nodes. */
export const NODES: Readonly<Record<string, string>> = {
  Node: 'Worker node of the cluster.',
  NodeSpec: 'Specification of a node.',
  'NodeSpec.podCIDR': 'CIDR of the pods on the node.',
  'NodeSpec.podCIDRs': 'CIDRs of the pods on the node, at most one per IP family.',
  'NodeSpec.providerID': 'Identifier of the node at the cloud provider.',
  'NodeSpec.unschedulable': 'If true, no new pods are scheduled to the node.',
  'NodeSpec.taints': 'Taints of the node.',
  NodeStatus: 'Status of a node.',
  'NodeStatus.capacity': 'Total resources of the node.',
  'NodeStatus.allocatable': 'Resources of the node that are available to pods.',
  'NodeStatus.addresses': 'Addresses of the node.',
  'NodeStatus.nodeInfo': 'Versions of the operating system and the node components.',
  Taint: 'Prevents pods that do not tolerate it from running on a node.',
  'Taint.key': 'Key of the taint.',
  'Taint.value': 'Value of the taint.',
  'Taint.effect': 'Effect on pods that do not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.',
};
