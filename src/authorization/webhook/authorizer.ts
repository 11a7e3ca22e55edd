import { TtlCache } from '../../collections/ttl-cache.ts';
import type { Attributes, Authorizer, AuthorizerResult } from '../../request/attributes.ts';
import { type AccessReviewClient, WebhookError } from './client.ts';
import type { ConditionMatcher } from './match-conditions.ts';
import { type ReviewSpec, type ReviewStatus, reviewSpec } from './review.ts';

/** Observes a webhook authorizer, for metrics. */
export interface WebhookObserver {
  /** Called after the evaluation of match conditions. */
  matched(result: 'match' | 'excluded' | 'error', seconds: number): void;
  /**
   * Called when the webhook failed and the request continues with the next authorizer.
   * @param result outcome of the last attempt
   */
  failedOpen(result: string): void;
}

export interface WebhookAuthorizerOptions {
  readonly name: string;
  readonly client: AccessReviewClient;
  readonly matcher: ConditionMatcher;
  /** Milliseconds. */
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observer: WebhookObserver;
}

/** Maximum number of cached decisions. */
const CACHE_ENTRIES = 8192;
/**
 * Decisions for requests with longer attributes are not cached: a client could exhaust memory with them.
 */
const MAXIMUM_CACHED_LENGTH = 10_000;

const NO_OPINION: AuthorizerResult = { decision: 'no-opinion', reason: '' };

/**
 * Creates an authorizer that calls a webhook for requests that match its conditions, and caches decisions.
 */
export function createWebhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const { name, client, matcher, authorizedTtl, unauthorizedTtl, failurePolicy, now, observer } = options;
  const cache = new TtlCache<ReviewStatus>({ capacity: CACHE_ENTRIES, now });
  const onFailure = failurePolicy === 'Deny' ? 'deny' : 'no-opinion';

  const checkConditions = async (spec: ReviewSpec): Promise<AuthorizerResult | undefined> => {
    if (matcher.size === 0) return undefined;
    const startedAt = now();
    const match = await matcher.match(spec);
    observer.matched(match.kind, (now() - startedAt) / 1000);
    if (match.kind === 'match') return undefined;
    return match.kind === 'excluded'
      ? NO_OPINION
      : { decision: onFailure, reason: '', error: new Error(match.message) };
  };

  return {
    name,
    async authorize(attributes) {
      const spec = reviewSpec(attributes);
      const skipped = await checkConditions(spec);
      if (skipped !== undefined) return skipped;
      const key = JSON.stringify(spec);
      const known = cache.get(key)?.value;
      if (known !== undefined) return decisionOf(known);
      let status: ReviewStatus;
      try {
        status = await client.review(spec);
      } catch (error) {
        if (onFailure === 'no-opinion')
          observer.failedOpen(error instanceof WebhookError ? error.result : 'error');
        return { decision: onFailure, reason: '', error: error as Error };
      }
      if (lengthOf(attributes) < MAXIMUM_CACHED_LENGTH)
        cache.set(key, status, status.allowed ? authorizedTtl : unauthorizedTtl);
      return decisionOf(status);
    },
    rulesFor: () => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    }),
  };
}

function decisionOf({ allowed, denied, reason }: ReviewStatus): AuthorizerResult {
  if (denied && allowed)
    return {
      decision: 'deny',
      reason,
      error: new Error('webhook subject access review returned both allow and deny response'),
    };
  return { decision: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason };
}

/** Length of the attributes that a client controls. */
const lengthOf = ({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  path,
}: Attributes): number =>
  namespace.length +
  verb.length +
  group.length +
  version.length +
  resource.length +
  subresource.length +
  name.length +
  path.length;
