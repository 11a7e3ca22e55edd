/** What an expression asks the authorizer. */
export interface AuthorizationQuery {
  /** The service account that is asked about instead of the request's user. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string;
  /** A path that is no resource; excludes the rest. */
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As written; what can't be parsed is not part of the question. */
  readonly fieldSelector: string | undefined;
  readonly labelSelector: string | undefined;
}

/** The authorizer's answer. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Set when the authorizer failed. */
  readonly error: string | undefined;
}

/**
 * Answers for the evaluations of one request. An answer that isn't there yet is a promise: the evaluation is
 * suspended and begun again when it settles, and then the same question must be answered at once (see
 * `cachingSource`).
 */
export interface AuthorizationSource {
  check(query: AuthorizationQuery): AuthorizationDecision | Promise<unknown>;
}

/**
 * How many different questions are remembered; each costs so much that an evaluation can't ask more than two.
 */
const MAX_CACHED_QUERIES = 4096;

/**
 * An authority that asks each question once and remembers the answer. A question that fails is answered with
 * its error, so evaluations never reject. Beyond its bound it decisions with an error.
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
