import { type BuiltinResource, defineResource } from '../builtin-resource.ts';

export const selfSubjectReviews = defineResource({
  group: 'authentication.k8s.io',
  versions: ['v1', { name: 'v1beta1', until: '1.33', deprecation: { since: '1.30', unavailable: '1.33' } }],
  resource: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  scope: 'Cluster',
  verbs: ['create'],
});

export const tokenReviews = defineResource({
  group: 'authentication.k8s.io',
  versions: ['v1'],
  resource: 'tokenreviews',
  kind: 'TokenReview',
  scope: 'Cluster',
  verbs: ['create'],
});

export const authenticationResources: readonly BuiltinResource[] = [selfSubjectReviews, tokenReviews];
