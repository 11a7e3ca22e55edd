/** An authorization check as built by an expression. */
export interface AuthorizationQuery {
  /** The service account to check instead of the request's user. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string;
  /** A non-resource path; excludes the resource fields. */
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As written; a selector that cannot be parsed is ignored. */
  readonly fieldSelector: string | undefined;
  readonly labelSelector: string | undefined;
}

/** The result of an authorization check. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Set when the authorizer failed. */
  readonly error: string | undefined;
}

/**
 * Authorization decisions for the evaluations of one request. A pending decision is a promise: the evaluation
 * is suspended and restarted when it settles; the same query must then return a decision (see
 * `cachingSource`).
 */
export interface AuthorizationSource {
  check(query: AuthorizationQuery): AuthorizationDecision | Promise<unknown>;
}

/**
 * The maximum number of cached queries. Each check costs so much that one evaluation can make at most two.
 */
const MAX_CACHED_QUERIES = 4096;

/**
 * A source that authorizes each query once and caches the decision. A failed query has a decision with the
 * error, so evaluations never reject; so has every query beyond the cache's bound.
 */
export function cachingSource(
  authorize: (query: AuthorizationQuery) => AuthorizationDecision | Promise<AuthorizationDecision>,
): AuthorizationSource {
  const decisions = new Map<string, AuthorizationDecision | Promise<unknown>>();
  return {
    check(query) {
      const key = JSON.stringify(query);
      const cached = decisions.get(key);
      if (cached !== undefined) return cached;
      if (decisions.size >= MAX_CACHED_QUERIES)
        return { allowed: false, reason: '', error: 'too many authorization checks' };
      const decision = attempt(authorize, query);
      const entry =
        decision instanceof Promise ? decision.then((settled) => decisions.set(key, settled)) : decision;
      decisions.set(key, entry);
      return entry;
    },
  };
}

function attempt(
  authorize: (query: AuthorizationQuery) => AuthorizationDecision | Promise<AuthorizationDecision>,
  query: AuthorizationQuery,
): AuthorizationDecision | Promise<AuthorizationDecision> {
  const failed = (error: unknown): AuthorizationDecision => ({
    allowed: false,
    reason: '',
    error: error instanceof Error ? error.message : String(error),
  });
  try {
    const decision = authorize(query);
    return decision instanceof Promise ? decision.catch(failed) : decision;
  } catch (error) {
    return failed(error);
  }
}
