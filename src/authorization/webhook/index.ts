export { createWebhookAuthorizer } from './authorizer.ts';
export { createAccessReviewClient } from './client.ts';
export { createMatcher, matchConditionError } from './match-conditions.ts';
export type { ReviewVersion } from './review.ts';
