import type { Authenticated, Authenticator, Credentials } from '../request/authenticator.ts';
import { ANONYMOUS_USER, GROUP_UNAUTHENTICATED, NO_EXTRA } from '../request/user.ts';
import { withAuthenticatedGroup } from './user.ts';

/** Anonymous access: never, always, or for requests of exactly these paths only. */
export type AnonymousAccess = boolean | { readonly paths: readonly string[] };

export interface AuthenticationOptions {
  /** The current setting, read for each request without credentials. */
  readonly anonymous: () => AnonymousAccess;
  /** Called when an authenticator rejects credentials (logs, metrics). */
  readonly onError?: (authenticator: string, error: unknown) => void;
}

export type Authentication = (
  credentials: Credentials,
) => Authenticated | undefined | Promise<Authenticated | undefined>;

const ANONYMOUS: Authenticated = {
  user: { name: ANONYMOUS_USER, uid: '', groups: [GROUP_UNAUTHENTICATED], extra: NO_EXTRA },
};

/**
 * Calls each authenticator in order; the first success wins. A rejected credential fails the request only
 * when no other authenticator succeeds; a request without credentials is anonymous where that is allowed.
 * @returns the authenticated user; undefined means 401. A promise only when an authenticator is asynchronous.
 */
export function createAuthentication(
  authenticators: readonly Authenticator[],
  { anonymous, onError }: AuthenticationOptions,
): Authentication {
  const finish = (credentials: Credentials, rejected: boolean): Authenticated | undefined => {
    if (rejected) return undefined;
    const access = anonymous();
    const allowed = typeof access === 'boolean' ? access : access.paths.includes(credentials.path);
    return allowed ? ANONYMOUS : undefined;
  };

  const resume = async (
    credentials: Credentials,
    pending: Promise<Authenticated | undefined>,
    position: number,
    rejectedBefore: boolean,
  ): Promise<Authenticated | undefined> => {
    let rejected = rejectedBefore;
    try {
      const answer = await pending;
      if (answer !== undefined) return withAuthenticatedGroup(answer);
    } catch (error) {
      rejected = true;
      onError?.(authenticators[position]!.name, error);
    }
    return run(credentials, position + 1, rejected);
  };

  const run = (
    credentials: Credentials,
    from: number,
    rejectedBefore: boolean,
  ): Authenticated | undefined | Promise<Authenticated | undefined> => {
    let rejected = rejectedBefore;
    for (let position = from; position < authenticators.length; position++) {
      try {
        const answer = authenticators[position]!.authenticate(credentials);
        if (answer === undefined) continue;
        if (answer instanceof Promise) return resume(credentials, answer, position, rejected);
        return withAuthenticatedGroup(answer);
      } catch (error) {
        rejected = true;
        onError?.(authenticators[position]!.name, error);
      }
    }
    return finish(credentials, rejected);
  };

  return (credentials) => run(credentials, 0, false);
}
