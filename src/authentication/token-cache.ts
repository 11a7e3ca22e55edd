import { hash, randomBytes } from 'node:crypto';
import { TtlCache } from '../collections/ttl-cache.ts';
import type { Authenticated, TokenAuthenticator } from '../request/authenticator.ts';

/** Maximum cached results. */
const CACHE_ENTRIES = 4096;
/** Maximum pending calls that requests with the same token share; beyond it requests call on their own. */
const PENDING_ENTRIES = 4096;

export interface TokenCacheOptions {
  /**
   * Time to live of results in milliseconds, for accepted and unknown tokens; errors are never cached.
   */
  readonly lifetime: number;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/**
 * Caches an authenticator's results by token and audiences; concurrent requests share one call.
 */
export function cacheTokenAuthenticator(
  authenticator: TokenAuthenticator,
  { lifetime, now }: TokenCacheOptions,
): TokenAuthenticator {
  const digest = createTokenDigest();
  const cache = new TtlCache<Authenticated | undefined>({ capacity: CACHE_ENTRIES, now });
  const pending = new Map<string, Promise<Authenticated | undefined>>();

  const call = async (
    key: string,
    token: string,
    audiences: readonly string[] | undefined,
  ): Promise<Authenticated | undefined> => {
    const answer = await authenticator.authenticateToken(token, audiences);
    cache.set(key, answer, lifetime);
    return answer;
  };

  return {
    name: authenticator.name,
    authenticateToken(token, audiences) {
      const key = digest(JSON.stringify([token, audiences]));
      const entry = cache.get(key);
      if (entry !== undefined) return entry.value;
      const inFlight = pending.get(key);
      if (inFlight !== undefined) return inFlight;
      const answer = call(key, token, audiences);
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
