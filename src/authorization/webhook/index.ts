export { createWebhookAuthorizer } from './authorizer.ts';
export { createAccessReviewClient } from './client.ts';
export { conditionFault, createMatcher } from './match-conditions.ts';
export type { ReviewVersion } from './review.ts';
