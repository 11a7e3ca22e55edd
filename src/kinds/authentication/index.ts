import { type BuiltinResource, defineResource } from '../builtin-resource.ts';

export const selfSubjectReviews = defineResource({
  group: 'authentication.k8s.io',
  versions: ['v1', 'v1beta1'],
  resource: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  scope: 'Cluster',
  verbs: ['create'],
  deprecationWarnings: {
    v1beta1: 'authentication.k8s.io/v1beta1 SelfSubjectReview is deprecated in v1.30+, unavailable in v1.33+',
  },
  descriptions: {
    SelfSubjectReview: 'Returns the user information of the requesting user.',
  },
});

export const tokenReviews = defineResource({
  group: 'authentication.k8s.io',
  versions: ['v1'],
  resource: 'tokenreviews',
  kind: 'TokenReview',
  scope: 'Cluster',
  verbs: ['create'],
  descriptions: {
    TokenReview: 'Authenticates a token.',
  },
});

export const authenticationResources: readonly BuiltinResource[] = [selfSubjectReviews, tokenReviews];
