import { type BuiltinResource, defineResource } from '../builtin-resource.ts';

export const localSubjectAccessReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'localsubjectaccessreviews',
  kind: 'LocalSubjectAccessReview',
  verbs: ['create'],
});

export const selfSubjectAccessReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  scope: 'Cluster',
  verbs: ['create'],
});

export const selfSubjectRulesReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'selfsubjectrulesreviews',
  kind: 'SelfSubjectRulesReview',
  scope: 'Cluster',
  verbs: ['create'],
});

export const subjectAccessReviews = defineResource({
  group: 'authorization.k8s.io',
  versions: ['v1'],
  resource: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  scope: 'Cluster',
  verbs: ['create'],
});

export const authorizationResources: readonly BuiltinResource[] = [
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
];
