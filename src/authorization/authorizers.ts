import { aggregate } from '../errors/aggregate.ts';
import { quote } from '../errors/quote.ts';
import type { Attributes, Authorizer, AuthorizerResult, ResolvedRules } from '../request/attributes.ts';
import { GROUP_MASTERS, type UserInfo } from '../request/user.ts';

const ALLOW: AuthorizerResult = { decision: 'allow', reason: '' };
const NO_OPINION: AuthorizerResult = { decision: 'no-opinion', reason: '' };

/**
 * Allows everything to members of `system:masters`; first in the chain, so that they are never locked out.
 */
export const privilegedGroup: Authorizer = {
  name: 'privileged-group',
  authorize: ({ user }) => (user.groups.includes(GROUP_MASTERS) ? ALLOW : NO_OPINION),
};

const EVERYTHING: ResolvedRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

/** `--authorization-mode=AlwaysAllow`. */
export const alwaysAllow: Authorizer = {
  name: 'AlwaysAllow',
  authorize: () => ALLOW,
  rulesFor: () => EVERYTHING,
};

/**
 * `--authorization-mode=AlwaysDeny`: returns no opinion, which denies the request at the end of the chain.
 */
export const alwaysDeny: Authorizer = {
  name: 'AlwaysDeny',
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};

/**
 * Allows paths to all users; a trailing `*` matches any suffix.
 * @throws Error for a `*` elsewhere: the server must not start
 */
export function allowPaths(paths: readonly string[]): Authorizer {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  for (const path of paths) {
    const plain = path.replace(/^\/+/, '');
    if (plain.slice(0, -1).includes('*')) throw new Error(`only trailing * allowed in ${quote(path)}`);
    if (plain.endsWith('*')) prefixes.push(plain.slice(0, -1));
    else exact.add(plain);
  }
  return {
    name: 'always-allow-paths',
    authorize: ({ isResource, path }) => {
      if (isResource) return NO_OPINION;
      const plain = path.replace(/^\/+/, '');
      return exact.has(plain) || prefixes.some((prefix) => plain.startsWith(prefix)) ? ALLOW : NO_OPINION;
    },
  };
}

/**
 * Calls each authorizer in order: the first allow or deny decides. Without a decision the reasons are joined
 * for the 403. Returns a promise only when an authorizer is asynchronous.
 */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  const run = (
    attributes: Attributes,
    from: number,
    before: readonly AuthorizerResult[],
  ): AuthorizerResult | Promise<AuthorizerResult> => {
    let undecided = before;
    for (let position = from; position < authorizers.length; position++) {
      const answer = authorizers[position]!.authorize(attributes);
      if (answer instanceof Promise) {
        const soFar = undecided;
        return answer.then((late) =>
          late.decision === 'no-opinion' ? run(attributes, position + 1, [...soFar, late]) : late,
        );
      }
      if (answer.decision !== 'no-opinion') return answer;
      if (answer.reason !== '' || answer.error !== undefined) undecided = [...undecided, answer];
    }
    return conclude(undecided);
  };
  return {
    name: 'union',
    authorize: (attributes) => run(attributes, 0, []),
    rulesFor: (user, namespace) => collectRules(authorizers, user, namespace),
  };
}

function conclude(undecided: readonly AuthorizerResult[]): AuthorizerResult {
  if (undecided.length === 0) return NO_OPINION;
  const reason = undecided
    .map((one) => one.reason)
    .filter((text) => text !== '')
    .join('\n');
  const error = joinErrors(undecided.flatMap((one) => one.error ?? []));
  return error === undefined ? { decision: 'no-opinion', reason } : { decision: 'no-opinion', reason, error };
}

async function collectRules(
  authorizers: readonly Authorizer[],
  user: UserInfo,
  namespace: string,
): Promise<ResolvedRules> {
  const parts = await Promise.all(
    authorizers.flatMap((authorizer) => authorizer.rulesFor?.(user, namespace) ?? []),
  );
  const errors = parts.flatMap(({ evaluationError }) => evaluationError ?? []);
  return {
    resourceRules: parts.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: parts.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: parts.some(({ incomplete }) => incomplete),
    ...(errors.length === 0 ? {} : { evaluationError: aggregate(errors) }),
  };
}

/** Aggregates errors as Kubernetes formats them: each message once, in brackets when there are several. */
export function joinErrors(errors: readonly Error[]): Error | undefined {
  const flat = errors.flatMap((error) =>
    error instanceof AggregateError ? (error.errors as Error[]) : [error],
  );
  if (flat.length <= 1) return flat[0];
  return new AggregateError(flat, aggregate(flat.map(({ message }) => message)));
}
