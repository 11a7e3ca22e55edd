/** Kinds of the group authorization.k8s.io. */
export const AUTHORIZATION: Readonly<Record<string, string>> = {
  LocalSubjectAccessReview: 'Checks whether a user or group is authorized for an action in a namespace.',
  SelfSubjectAccessReview: 'Checks whether the requesting user is authorized for an action.',
  SelfSubjectRulesReview: 'Lists the actions for which the requesting user is authorized in a namespace.',
  SubjectAccessReview: 'Checks whether a user or group is authorized for an action.',
};
