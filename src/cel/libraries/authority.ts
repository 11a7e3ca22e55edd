/** What an expression asks the authorizer. */
export interface AuthorizationQuestion {
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
export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** Set when the authorizer failed. */
  readonly error: string | undefined;
}

/**
 * Answers for the evaluations of one request. An answer that isn't there yet is a promise: the evaluation is
 * suspended and begun again when it settles, and then the same question must be answered at once (see
 * `rememberingAuthority`).
 */
export interface Authority {
  ask(question: AuthorizationQuestion): AuthorizationAnswer | Promise<unknown>;
}

/**
 * How many different questions are remembered; each costs so much that an evaluation can't ask more than two.
 */
const MOST_QUESTIONS = 4096;

/**
 * An authority that asks each question once and remembers the answer. A question that fails is answered with
 * its error, so evaluations never reject. Beyond its bound it answers with an error.
 */
export function rememberingAuthority(
  ask: (question: AuthorizationQuestion) => AuthorizationAnswer | Promise<AuthorizationAnswer>,
): Authority {
  const answers = new Map<string, AuthorizationAnswer | Promise<unknown>>();
  return {
    ask(question) {
      const key = JSON.stringify(question);
      const known = answers.get(key);
      if (known !== undefined) return known;
      if (answers.size >= MOST_QUESTIONS)
        return { allowed: false, reason: '', error: 'too many authorization checks' };
      const answer = attempt(ask, question);
      const kept = answer instanceof Promise ? answer.then((settled) => answers.set(key, settled)) : answer;
      answers.set(key, kept);
      return kept;
    },
  };
}

function attempt(
  ask: (question: AuthorizationQuestion) => AuthorizationAnswer | Promise<AuthorizationAnswer>,
  question: AuthorizationQuestion,
): AuthorizationAnswer | Promise<AuthorizationAnswer> {
  const failed = (error: unknown): AuthorizationAnswer => ({
    allowed: false,
    reason: '',
    error: error instanceof Error ? error.message : String(error),
  });
  try {
    const answer = ask(question);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}
