import type { Authenticated, Authenticator, Credentials } from '../request/authenticator.ts';
import { ANONYMOUS_USER, GROUP_UNAUTHENTICATED, NO_EXTRA } from '../request/user.ts';
import { withAuthenticatedGroup } from './user.ts';

/** Anonymous access: never, always, or for requests of exactly these paths only. */
export type AnonymousAccess = boolean | { readonly paths: readonly string[] };

export interface AuthenticationOptions {
  /** What holds now; asked for each request without credentials. */
  readonly anonymous: () => AnonymousAccess;
  /** Told why an authenticator refused the credentials it was given (logs, metrics). */
  readonly onError?: (authenticator: string, error: unknown) => void;
}

export type Authentication = (
  credentials: Credentials,
) => Authenticated | undefined | Promise<Authenticated | undefined>;

const ANONYMOUS: Authenticated = {
  user: { name: ANONYMOUS_USER, uid: '', groups: [GROUP_UNAUTHENTICATED], extra: NO_EXTRA },
};

/**
 * Tries each authenticator in order; the first that knows the caller wins. A refused credential fails the
 * request only when no other succeeds; a request without any credential is anonymous where that is allowed.
 * @returns who makes the request; undefined means 401. A promise only when an authenticator had to wait.
 */
export function createAuthentication(
  authenticators: readonly Authenticator[],
  { anonymous, onError }: AuthenticationOptions,
): Authentication {
  const conclude = (credentials: Credentials, refused: boolean): Authenticated | undefined => {
    if (refused) return undefined;
    const access = anonymous();
    const allowed = typeof access === 'boolean' ? access : access.paths.includes(credentials.path);
    return allowed ? ANONYMOUS : undefined;
  };

  const resume = async (
    credentials: Credentials,
    pending: Promise<Authenticated | undefined>,
    position: number,
    refusedBefore: boolean,
  ): Promise<Authenticated | undefined> => {
    let refused = refusedBefore;
    try {
      const answer = await pending;
      if (answer !== undefined) return withAuthenticatedGroup(answer);
    } catch (error) {
      refused = true;
      onError?.(authenticators[position]!.name, error);
    }
    return run(credentials, position + 1, refused);
  };

  const run = (
    credentials: Credentials,
    from: number,
    refusedBefore: boolean,
  ): Authenticated | undefined | Promise<Authenticated | undefined> => {
    let refused = refusedBefore;
    for (let position = from; position < authenticators.length; position++) {
      try {
        const answer = authenticators[position]!.authenticate(credentials);
        if (answer === undefined) continue;
        if (answer instanceof Promise) return resume(credentials, answer, position, refused);
        return withAuthenticatedGroup(answer);
      } catch (error) {
        refused = true;
        onError?.(authenticators[position]!.name, error);
      }
    }
    return conclude(credentials, refused);
  };

  return (credentials) => run(credentials, 0, false);
}
