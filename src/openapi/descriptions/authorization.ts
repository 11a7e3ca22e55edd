/** Kinds of the group authorization.k8s.io. */
export const AUTHORIZATION: Readonly<Record<string, string>> = {
  LocalSubjectAccessReview: 'Checks whether a user or group is authorized for an action in a namespace.',
  SelfSubjectAccessReview: 'Checks whether the requesting user is authorized for an action.',
  SelfSubjectRulesReview: 'Lists the actions for which the requesting user is authorized in a namespace.',
  SubjectAccessReview: 'Checks whether a user or group is authorized for an action.',
  SubjectAccessReviewSpec: 'Request to judge: either a resource or a path, and the user.',
  'SubjectAccessReviewSpec.resourceAttributes':
    'Access to a resource. Exactly one of resourceAttributes and nonResourceAttributes is set.',
  'SubjectAccessReviewSpec.nonResourceAttributes':
    'Access to a path. Exactly one of resourceAttributes and nonResourceAttributes is set.',
  'SubjectAccessReviewSpec.user': 'Name of the user. One of user and groups is needed.',
  'SubjectAccessReviewSpec.groups': 'Groups of the user.',
  'SubjectAccessReviewSpec.extra': 'Further attributes of the user from the authenticator.',
  'SubjectAccessReviewSpec.uid': 'Identifier of the user.',
  SubjectAccessReviewStatus: 'Result of an access review.',
  'SubjectAccessReviewStatus.allowed': 'Whether the access is allowed.',
  'SubjectAccessReviewStatus.denied':
    'Whether an authorizer denied the access, instead of having no opinion. Not together with allowed.',
  'SubjectAccessReviewStatus.reason': 'Why the access is allowed or denied, for people.',
  'SubjectAccessReviewStatus.evaluationError':
    'Error of an authorizer. The result can be valid all the same, for example when a role was missing.',
  NonResourceAttributes: 'Access to a path.',
  'NonResourceAttributes.path': 'Path of the request, such as /healthz.',
  'NonResourceAttributes.verb': 'HTTP verb in lower case.',
  ResourceAttributes: 'Access to a resource.',
  'ResourceAttributes.namespace':
    'Namespace of the request. Empty for cluster-scoped resources, and for all namespaces.',
  'ResourceAttributes.verb': 'Verb such as get, list or watch; * means all.',
  'ResourceAttributes.group': 'API group of the resource; * means all.',
  'ResourceAttributes.version': 'Version of the group; * means all.',
  'ResourceAttributes.resource': 'Resource in the plural; * means all.',
  'ResourceAttributes.subresource': 'Subresource; empty means the resource itself.',
  'ResourceAttributes.name': 'Name of the object. Empty for lists and creations: all objects.',
  'ResourceAttributes.fieldSelector':
    'Field selector of a list or watch; authorizers may use it to allow less than everything.',
  'ResourceAttributes.labelSelector':
    'Label selector of a list or watch; authorizers may use it to allow less than everything.',
  LabelSelectorAttributes: 'Label selector of a request. Either rawSelector or requirements.',
  'LabelSelectorAttributes.rawSelector':
    'The selector as text, as in the query of a request. Webhook authorizers get requirements only.',
  'LabelSelectorAttributes.requirements': 'The parsed requirements, which must all be met.',
  FieldSelectorAttributes: 'Field selector of a request. Either rawSelector or requirements.',
  'FieldSelectorAttributes.rawSelector':
    'The selector as text, as in the query of a request. Webhook authorizers get requirements only.',
  'FieldSelectorAttributes.requirements': 'The parsed requirements, which must all be met.',
  SelfSubjectRulesReviewSpec: 'Where to look for rules.',
  'SelfSubjectRulesReviewSpec.namespace': 'Namespace whose rules are listed; needed.',
  SubjectRulesReviewStatus:
    'What the user may do in a namespace. It is meant for showing, not for decisions of others.',
  'SubjectRulesReviewStatus.resourceRules': 'What is allowed on resources, in no order.',
  'SubjectRulesReviewStatus.nonResourceRules': 'What is allowed on paths, in no order.',
  'SubjectRulesReviewStatus.incomplete':
    'Whether rules may be missing, for example because an authorizer cannot list them.',
  'SubjectRulesReviewStatus.evaluationError': 'Error while collecting the rules.',
  NonResourceRule: 'Verbs that are allowed on paths.',
  'NonResourceRule.verbs': 'HTTP verbs in lower case; * means all.',
  'NonResourceRule.nonResourceURLs': 'Paths; * at the end means all below.',
  ResourceRule: 'Verbs that are allowed on resources.',
  'ResourceRule.verbs': 'Verbs such as get; * means all.',
  'ResourceRule.apiGroups': 'API groups; * means all.',
  'ResourceRule.resources': 'Resources; * means all, */NAME a subresource of all.',
  'ResourceRule.resourceNames': 'Names of objects. Empty means all.',
  SelfSubjectAccessReviewSpec: 'Access of the user who sends the request: either a resource or a path.',
  'SelfSubjectAccessReviewSpec.resourceAttributes':
    'Access to a resource. Exactly one of resourceAttributes and nonResourceAttributes is set.',
  'SelfSubjectAccessReviewSpec.nonResourceAttributes':
    'Access to a path. Exactly one of resourceAttributes and nonResourceAttributes is set.',
};
