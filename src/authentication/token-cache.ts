import { hash, randomBytes } from 'node:crypto';
import type { Authenticated, TokenAuthenticator } from '../request/authenticator.ts';

/** Answers remembered; the one that was put there first is forgotten when one more arrives. */
const CACHE_ENTRIES = 4096;
/** Questions that others with the same token wait for; above, each asks for itself. */
const PENDING_ENTRIES = 4096;

export interface TokenCacheOptions {
  /**
   * Milliseconds for which answers are believed, that a token is good as well as that it is unknown; failures
   * to answer never are.
   */
  readonly lifetime: number;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/**
 * Remembers what an authenticator said about a token and audiences, and asks it once for all who want to know
 * at the same time.
 */
export function cacheTokenAuthenticator(
  authenticator: TokenAuthenticator,
  { lifetime, now }: TokenCacheOptions,
): TokenAuthenticator {
  const digest = createTokenDigest();
  const known = new Map<string, { readonly answer: Authenticated | undefined; readonly until: number }>();
  const pending = new Map<string, Promise<Authenticated | undefined>>();

  const ask = async (
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): Promise<Authenticated | undefined> => {
    const answer = await authenticator.authenticateToken(token, audiences);
    known.delete(key);
    if (known.size >= CACHE_ENTRIES) known.delete(known.keys().next().value!);
    if (lifetime > 0) known.set(key, { answer, until: now() + lifetime });
    return answer;
  };

  return {
    name: authenticator.name,
    authenticateToken(token, audiences) {
      const key = digest(JSON.stringify([token, audiences]));
      const entry = known.get(key);
      if (entry !== undefined && now() < entry.until) return entry.answer;
      const asked = pending.get(key);
      if (asked !== undefined) return asked;
      const answer = ask(key, token, audiences);
      if (pending.size >= PENDING_ENTRIES) return answer;
      pending.set(key, answer);
      return answer.finally(() => pending.delete(key));
    },
  };
}

/**
 * Creates a function that derives cache keys from tokens. The salted hash keeps tokens out of memory, and its
 * comparison leaks nothing through its timing: a client cannot choose a token by a prefix of its key.
 */
export function createTokenDigest(): (token: string) => string {
  const salt = randomBytes(32).toString('base64');
  return (token) => hash('sha256', salt + token, 'base64');
}
