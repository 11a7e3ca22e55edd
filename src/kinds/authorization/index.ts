import { type BuiltinResource, defineResource } from '../builtin-resource.ts';

export const localSubjectAccessReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'localsubjectaccessreviews',
  kind: 'LocalSubjectAccessReview',
  verbs: ['create'],
  descriptions: {
    LocalSubjectAccessReview: 'Checks whether a user or group is authorized for an action in a namespace.',
  },
});

export const selfSubjectAccessReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  scope: 'Cluster',
  verbs: ['create'],
  descriptions: {
    SelfSubjectAccessReview: 'Checks whether the requesting user is authorized for an action.',
  },
});

export const selfSubjectRulesReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'selfsubjectrulesreviews',
  kind: 'SelfSubjectRulesReview',
  scope: 'Cluster',
  verbs: ['create'],
  descriptions: {
    SelfSubjectRulesReview: 'Lists the actions for which the requesting user is authorized in a namespace.',
  },
});

export const subjectAccessReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  scope: 'Cluster',
  verbs: ['create'],
  descriptions: {
    SubjectAccessReview: 'Checks whether a user or group is authorized for an action.',
  },
});

export const authorizationResources: readonly BuiltinResource[] = [
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
];
