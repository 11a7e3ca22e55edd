/** Kinds of the group scheduling.k8s.io. */
export const SCHEDULING: Readonly<Record<string, string>> = {
  PriorityClass: 'Maps a name to a priority of pods.',
  'PriorityClass.value': 'Priority. Pods with a higher value take precedence.',
  'PriorityClass.globalDefault': 'Whether the class is the default of pods without a priority class.',
  'PriorityClass.preemptionPolicy':
    'Whether pods of the class may preempt pods of lower priority: PreemptLowerPriority or Never.',
  'PriorityClass.description': 'What the class is meant for.',
  WorkloadPodGroupResourceClaim: 'Resource claim that the pods of a group share.',
  'WorkloadPodGroupResourceClaim.name':
    'Name by which the pods refer to the claim; a DNS label, unique in the list.',
  'WorkloadPodGroupResourceClaim.resourceClaimName':
    'ResourceClaim in the same namespace. Exactly one of resourceClaimName and resourceClaimTemplateName is set.',
  'WorkloadPodGroupResourceClaim.resourceClaimTemplateName':
    'ResourceClaimTemplate in the same namespace from which a claim for the group is made.',
  WorkloadPodGroupDisruptionMode:
    'Whether pods of a group are disrupted one by one or together. One member is set.',
  'WorkloadPodGroupDisruptionMode.single': 'Each pod can be preempted alone.',
  'WorkloadPodGroupDisruptionMode.all': 'The pods of the group are preempted together.',
  WorkloadPodGroupAllDisruptionMode: 'All pods of the group are disrupted together; it has no settings.',
  WorkloadPodGroupSingleDisruptionMode: 'Pods of the group are disrupted one by one; it has no settings.',
  WorkloadPodGroupSchedulingConstraints: 'Constraints on the placement of a whole group.',
  'WorkloadPodGroupSchedulingConstraints.topology':
    'Topology domains in which the pods of the group must run together.',
  TopologyConstraint: 'Demands that all pods of a group run in one topology domain.',
  'TopologyConstraint.key':
    'Label of nodes whose value tells the domain, such as topology.kubernetes.io/zone.',
  WorkloadPodGroupSchedulingPolicy: 'How the pods of a group are scheduled. One member is set.',
  'WorkloadPodGroupSchedulingPolicy.basic': 'Pods are scheduled one by one, as without a group.',
  'WorkloadPodGroupSchedulingPolicy.gang':
    'Pods are scheduled only when enough of them can run at the same time.',
  WorkloadPodGroupGangSchedulingPolicy: 'Scheduling of a group as a whole or not at all.',
  'WorkloadPodGroupGangSchedulingPolicy.minCount':
    'Number of pods that must be schedulable at the same time before any of them is bound. At least 1.',
  WorkloadPodGroupBasicSchedulingPolicy: 'Scheduling of pods one by one; it has no settings.',
};
