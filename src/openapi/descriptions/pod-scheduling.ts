/** Where pods run: affinity, tolerations, spreading, gates. */
export const POD_SCHEDULING: Readonly<Record<string, string>> = {
  PodResourceClaim: 'Resource claim of a pod, under a name by which containers refer to it.',
  'PodResourceClaim.name': 'Name of the claim in the pod, a DNS label, unique in the list.',
  'PodResourceClaim.resourceClaimName':
    "ResourceClaim in the pod's namespace. Exactly one of resourceClaimName and resourceClaimTemplateName is set.",
  'PodResourceClaim.resourceClaimTemplateName':
    'ResourceClaimTemplate from which a claim is made for the pod. The claim is deleted with the pod; its name is in status.resourceClaimStatuses.',
  PodSchedulingGate: 'Gate that holds back the scheduling of a pod.',
  'PodSchedulingGate.name':
    'Name of the gate, unique in the list; the component that adds it also removes it.',
  PodOS: 'Operating system of a pod.',
  'PodOS.name':
    'linux or windows. Fields of the other system are then refused; the scheduler does not use it.',
  TopologySpreadConstraint: 'How matching pods are spread over topology domains.',
  'TopologySpreadConstraint.maxSkew':
    'Largest allowed difference between the number of matching pods in a domain and the global minimum. At least 1.',
  'TopologySpreadConstraint.topologyKey': 'Label of nodes whose values are the domains.',
  'TopologySpreadConstraint.whenUnsatisfiable':
    'DoNotSchedule leaves the pod pending; ScheduleAnyway prefers nodes that lower the skew.',
  'TopologySpreadConstraint.labelSelector': 'Selects the pods that are counted in each domain.',
  'TopologySpreadConstraint.minDomains':
    'Number of domains below which the global minimum counts as 0. Only with DoNotSchedule; at least 1. Default: 1.',
  'TopologySpreadConstraint.nodeAffinityPolicy':
    "Honor counts only nodes that match the pod's node selector and affinity; Ignore all. Default: Honor.",
  'TopologySpreadConstraint.nodeTaintsPolicy':
    'Honor leaves out nodes with taints that the pod does not tolerate; Ignore counts all. Default: Ignore.',
  'TopologySpreadConstraint.matchLabelKeys':
    'Label keys of the pod whose values are added to labelSelector, such as pod-template-hash. Needs labelSelector.',
  PodReadinessGate: 'Condition that must be True for the pod to be ready.',
  'PodReadinessGate.conditionType': "Type of the condition in the pod's status.",
  PodDNSConfig: 'DNS settings, merged with those of dnsPolicy.',
  'PodDNSConfig.nameservers':
    'IP addresses of name servers, added to those of the policy; at most 3. Needed for the policy None.',
  'PodDNSConfig.searches': 'Search domains, added to those of the policy; at most 32.',
  'PodDNSConfig.options': 'Options of the resolver, merged with those of the policy.',
  PodDNSConfigOption: 'Option of the resolver.',
  'PodDNSConfigOption.name': 'Name of the option, such as ndots.',
  'PodDNSConfigOption.value': 'Value of the option; absent for options without one.',
  HostAlias: 'Line of the hosts file.',
  'HostAlias.ip': 'IP address.',
  'HostAlias.hostnames': 'Host names for the address.',
  PodAffinity: 'Places the pod near other pods.',
  'PodAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'Terms that must all be met for scheduling. A pod that runs stays when they no longer are.',
  'PodAffinity.preferredDuringSchedulingIgnoredDuringExecution':
    'Weighted terms: nodes with the highest sum of weights are preferred.',
  PodAntiAffinity: 'Places the pod away from other pods.',
  'PodAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'Terms of which none may be met for scheduling: no matching pod in the domain. A pod that runs stays when that changes.',
  'PodAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution':
    'Weighted terms: nodes with the lowest sum of weights of the terms that they meet are preferred.',
  WeightedPodAffinityTerm: 'Term with a weight.',
  'WeightedPodAffinityTerm.weight': 'Weight of the term, 1 to 100.',
  'WeightedPodAffinityTerm.podAffinityTerm': 'Pods to be near to, or away from.',
  PodAffinityTerm: 'Pods in some namespaces, and the topology domains that they share.',
  'PodAffinityTerm.labelSelector': 'Selects the pods by labels. Absent selects none.',
  'PodAffinityTerm.namespaces':
    'Namespaces of the pods, beside those of namespaceSelector. Without both, the namespace of the pod itself.',
  'PodAffinityTerm.topologyKey': 'Label of nodes: nodes with the same value are one domain.',
  'PodAffinityTerm.namespaceSelector':
    'Selects namespaces of the pods by labels; empty selects all. Absent adds none to namespaces.',
  'PodAffinityTerm.matchLabelKeys':
    'Label keys of the pod whose values the selected pods must have, too. Needs labelSelector.',
  'PodAffinityTerm.mismatchLabelKeys':
    'Label keys of the pod whose values the selected pods must not have. Needs labelSelector.',
  NodeAffinity: 'Places the pod on nodes with some labels.',
  'NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'Node selector that must match for scheduling. A pod that runs stays when the labels change.',
  'NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution':
    'Weighted terms: nodes with the highest sum of weights are preferred.',
  PreferredSchedulingTerm: 'Node selector term with a weight.',
  'PreferredSchedulingTerm.weight': 'Weight of the term, 1 to 100.',
  'PreferredSchedulingTerm.preference': 'Term that nodes should match. An empty one matches all.',
  NodeSelector: 'Selects nodes: one of the terms must match.',
  'NodeSelector.nodeSelectorTerms': 'Terms of which one must match; at least one.',
  NodeSelectorTerm: 'Requirements on a node that must all be met. An empty term matches no node.',
  'NodeSelectorTerm.matchExpressions': 'Requirements on labels.',
  'NodeSelectorTerm.matchFields': 'Requirements on fields; only metadata.name.',
  NodeSelectorRequirement: 'Requirement on one label or field.',
  'NodeSelectorRequirement.key': 'Key of the label, or the field.',
  'NodeSelectorRequirement.operator':
    'In, NotIn, Exists, DoesNotExist, Gt or Lt. Gt and Lt compare integers.',
  'NodeSelectorRequirement.values':
    'Values for In and NotIn, one integer for Gt and Lt; empty for Exists and DoesNotExist.',
  WorkloadReference: 'Pod group of a Workload.',
  'WorkloadReference.name': "Name of the Workload in the pod's namespace.",
  'WorkloadReference.podGroup': 'Name of the pod group in the Workload.',
  'WorkloadReference.podGroupReplicaKey':
    'Tells replicas of the same pod group apart: pods with the same key belong together.',
  PodSchedulingGroup: 'Group with which a pod is scheduled.',
  'PodSchedulingGroup.podGroupName': "Name of the PodGroup in the pod's namespace.",
  EvictionResponder: 'Component that can end a pod when its eviction is requested.',
  'EvictionResponder.name': 'Name with a domain, such as example.com/responder, unique in the list.',
  'EvictionResponder.priority':
    'Order in which responders are asked, the highest first; 0 to 100000. Values below 1000 are reserved; a managing controller uses 10000.',
};
