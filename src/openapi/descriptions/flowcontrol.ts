/** Kinds of the group flowcontrol.apiserver.k8s.io. */
export const FLOWCONTROL: Readonly<Record<string, string>> = {
  Subject: 'User, group or service account.',
  'Subject.kind': 'User, Group or ServiceAccount.',
  'Subject.apiGroup': 'API group of the kind.',
  'Subject.name': 'Name of the user, group or service account.',
  'Subject.namespace': 'Namespace of a service account.',
  'Subject.user': 'User to match; for kind User.',
  'Subject.group': 'Group to match; for kind Group.',
  'Subject.serviceAccount': 'Service account to match; for kind ServiceAccount.',
  FlowSchema: 'Assigns requests to a priority level.',
  PriorityLevelConfiguration: 'Limits the concurrency and the queues of the requests of a priority level.',
  PriorityLevelConfigurationSpec: 'How requests of a priority level are limited.',
  'PriorityLevelConfigurationSpec.type':
    'Exempt means that requests start at once; Limited that they share the concurrency of the server.',
  'PriorityLevelConfigurationSpec.limited':
    'Limits and queues of a level of type Limited; absent for type Exempt.',
  'PriorityLevelConfigurationSpec.exempt':
    'Shares of a level of type Exempt, which it can lend although its own requests are not limited; absent for type Limited.',
  PriorityLevelConfigurationStatus: 'State of a priority level.',
  PriorityLevelConfigurationCondition: 'State of a priority level at its last change.',
  'PriorityLevelConfigurationCondition.type': 'Name of the condition, unique in the list.',
  ExemptPriorityLevelConfiguration: 'Shares of a priority level whose requests are never queued.',
  'ExemptPriorityLevelConfiguration.nominalConcurrencyShares':
    'Weight by which the level gets seats of the server that it can lend to others; it does not limit its own requests. Default: 0.',
  'ExemptPriorityLevelConfiguration.lendablePercent':
    'Percentage of the seats of this level that other levels may borrow, 0 to 100. Default: 0.',
  LimitedPriorityLevelConfiguration:
    'How many requests of a level run at the same time, and what becomes of the others.',
  'LimitedPriorityLevelConfiguration.nominalConcurrencyShares':
    "Weight by which the level gets its part of the server's concurrency. Default: 30.",
  'LimitedPriorityLevelConfiguration.limitResponse': 'What happens to requests that cannot start at once.',
  'LimitedPriorityLevelConfiguration.lendablePercent':
    'Percentage of the nominal seats that other levels may borrow while they are unused, 0 to 100. Default: 0.',
  'LimitedPriorityLevelConfiguration.borrowingLimitPercent':
    'How many seats the level may borrow, as a percentage of its nominal seats. Without a limit when absent.',
  LimitResponse: 'What happens to requests that cannot start at once.',
  'LimitResponse.type': 'Queue makes them wait up to the limits of queuing; Reject answers them with 429.',
  'LimitResponse.queuing': 'Queues for the type Queue; absent for the type Reject.',
  QueuingConfiguration: 'Queues of a priority level.',
  'QueuingConfiguration.queues':
    'Number of queues. More queues keep flows better apart; 1 turns shuffle sharding off. Default: 64.',
  'QueuingConfiguration.handSize':
    'Number of queues that a flow is dealt, of which its requests take the shortest; not above queues. Default: 8.',
  'QueuingConfiguration.queueLengthLimit':
    'Requests that may wait in one queue; further ones are rejected. Default: 50.',
  FlowSchemaSpec:
    'Which requests belong to a schema, how they form flows, and the priority level that they get.',
  'FlowSchemaSpec.priorityLevelConfiguration':
    'Priority level of the requests. A schema whose level does not exist is ignored and reports it in the condition Dangling.',
  'FlowSchemaSpec.matchingPrecedence':
    'Order in which schemas are tried: the lowest number that matches a request wins. From 1 to 10000. Default: 1000.',
  'FlowSchemaSpec.distinguisherMethod':
    'How requests of this schema are divided into flows. Without it they all form one flow.',
  'FlowSchemaSpec.rules': 'Rules of which one must match a request. Without rules no request matches.',
  FlowSchemaStatus: 'State of a flow schema.',
  FlowSchemaCondition: 'State of a flow schema at its last change.',
  'FlowSchemaCondition.type': 'Name of the condition; the server reports Dangling.',
  PolicyRulesWithSubjects: 'Matches requests of one of the subjects to one of the resources or paths.',
  'PolicyRulesWithSubjects.subjects':
    'Users, groups and service accounts of which one must have sent the request; at least one.',
  'PolicyRulesWithSubjects.resourceRules':
    'Requests to resources that match. At least one resource or non-resource rule is needed.',
  'PolicyRulesWithSubjects.nonResourceRules':
    'Requests to paths that match. At least one resource or non-resource rule is needed.',
  NonResourcePolicyRule: 'Matches requests to paths that are not resources.',
  'NonResourcePolicyRule.verbs': 'HTTP verbs in lower case; * alone means all.',
  'NonResourcePolicyRule.nonResourceURLs':
    'URL paths such as /healthz, or /healthz/* for all paths below it; * alone matches all paths.',
  ResourcePolicyRule: 'Matches requests to resources. Verb, group, resource and scope must all match.',
  'ResourcePolicyRule.verbs': 'Verbs such as get or watch; * alone means all.',
  'ResourcePolicyRule.apiGroups': 'API groups; * alone means all. The core group is the empty string.',
  'ResourcePolicyRule.resources':
    'Resources and subresources such as pods and pods/status; * alone means all.',
  'ResourcePolicyRule.clusterScope':
    'Whether requests without a namespace match: cluster-scoped objects, or all namespaces. Default: false.',
  'ResourcePolicyRule.namespaces':
    'Namespaces of requests; * alone means any. May be empty only with clusterScope.',
  'flowcontrol_v1.Subject':
    'Matches who sends a request: one of user, group and serviceAccount, as kind says.',
  'flowcontrol_v1.Subject.kind': 'User, Group or ServiceAccount: which of the other fields is set.',
  ServiceAccountSubject: 'Matches service accounts.',
  'ServiceAccountSubject.namespace': 'Namespace of the service account.',
  'ServiceAccountSubject.name': 'Name of the service account; * means all of the namespace.',
  GroupSubject: 'Matches members of a group.',
  'GroupSubject.name': 'Name of the group; * means every group.',
  UserSubject: 'Matches a user.',
  'UserSubject.name': 'Name of the user; * means every user.',
  FlowDistinguisherMethod: 'How requests are divided into flows.',
  'FlowDistinguisherMethod.type':
    'ByUser makes a flow of the requests of each user; ByNamespace of those to each namespace.',
  PriorityLevelConfigurationReference: 'Reference to a priority level.',
  'PriorityLevelConfigurationReference.name': 'Name of the PriorityLevelConfiguration.',
};
