import { TtlCache } from '../collections/ttl-cache.ts';
import { aggregate } from '../errors/aggregate.ts';
import {
  type Authenticated,
  AuthenticationError,
  type Authenticator,
  type Credentials,
  type TokenAuthenticator,
} from '../request/authenticator.ts';
import type { ProcessClock } from '../time/clock.ts';
import { withAuthenticatedGroup } from './user.ts';

/**
 * Time to live of cached successes; a revoked token stays valid at most this long.
 */
const SUCCESS_MILLISECONDS = 10_000;
/** Maximum number of cached tokens. */
const CACHE_ENTRIES = 4096;

const EXTRA_SPACE =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Observes the token cache, for metrics. */
export interface TokenCacheObserver {
  /** A lookup was a hit or a miss. @param seconds duration of the lookup */
  request(hit: boolean, seconds: number): void;
  /**
   * The authenticators are called for a token. @returns callback for the outcome: an error if one of them failed,
   * not if none accepts the token
   */
  fetch(): (outcome: 'ok' | 'error') => void;
}

export interface BearerOptions {
  readonly authenticators: readonly TokenAuthenticator[];
  /** Audiences a token must be for (`--api-audiences`). */
  readonly audiences: readonly string[];
  /** Monotonic clock, milliseconds. */
  readonly now: ProcessClock['monotonic'];
  readonly observer?: TokenCacheObserver;
}

/** Authenticates `Authorization: Bearer <token>`, and tokens alone for TokenReview. */
export interface BearerAuthenticator extends Authenticator {
  /**
   * Authenticates a token as in a request, with the cache.
   * @throws AuthenticationError (thrown or as rejection) for a token that no authenticator accepts
   */
  authenticateToken(token: string): Authenticated | Promise<Authenticated>;
  /**
   * Authenticates a token for other audiences, without the cache.
   * @throws AuthenticationError for a token that no authenticator accepts
   */
  review(token: string, audiences: readonly string[]): Promise<Authenticated>;
  /** Empties the cache. */
  forget(): void;
}

/**
 * The bearer token of an Authorization header; undefined without one. The scheme is case-insensitive, text
 * after a second space is ignored, and an empty token (`Bearer  x`) counts as absent.
 */
export function parseBearer(header: string): string | undefined {
  const value = header.trim();
  const space = value.indexOf(' ');
  if (space !== 6 || value.slice(0, 6).toLowerCase() !== 'bearer') return undefined;
  const end = value.indexOf(' ', 7);
  const token = end === -1 ? value.slice(7) : value.slice(7, end);
  return token === '' ? undefined : token;
}

/**
 * Creates the bearer authenticator: calls `authenticators` in order and caches successes.
 */
export const createBearerAuthenticator = (options: BearerOptions): BearerAuthenticator =>
  new CachingAuthenticator(options);

class CachingAuthenticator implements BearerAuthenticator {
  readonly name = 'bearer';
  readonly #options: BearerOptions;
  /** Keyed by the whole header, so that a cache hit needs no parsing. */
  readonly #cache: TtlCache<Authenticated>;

  constructor(options: BearerOptions) {
    this.#options = options;
    this.#cache = new TtlCache({ capacity: CACHE_ENTRIES, now: options.now });
  }

  authenticate(credentials: Credentials): Authenticated | Promise<Authenticated> | undefined {
    const header = credentials.header('authorization');
    if (header === undefined) return undefined;
    const answer = this.#authenticateHeader(header);
    if (answer === undefined && /^\s*bearer {2}/i.test(header)) credentials.warn?.(EXTRA_SPACE);
    return answer;
  }

  authenticateToken(token: string): Authenticated | Promise<Authenticated> {
    return this.#cache.get(`Bearer ${token}`)?.value ?? this.#fetch(`Bearer ${token}`, token);
  }

  async review(token: string, audiences: readonly string[]): Promise<Authenticated> {
    return withAuthenticatedGroup(await firstSuccess(this.#options.authenticators, token, audiences, []));
  }

  forget(): void {
    this.#cache.clear();
  }

  #authenticateHeader(header: string): Authenticated | Promise<Authenticated> | undefined {
    const entry = this.#cache.get(header);
    if (entry !== undefined) {
      this.#options.observer?.request(true, 0);
      return entry.value;
    }
    const token = parseBearer(header);
    return token === undefined ? undefined : this.#fetch(header, token);
  }

  /** Calls the authenticators, caches a success and notifies the observer. */
  #fetch(header: string, token: string): Authenticated | Promise<Authenticated> {
    const { authenticators, audiences, now, observer } = this.#options;
    const startedAt = now();
    const finishFetch = observer?.fetch();
    const failures: Error[] = [];
    const finish = (outcome: 'ok' | 'error'): void => {
      finishFetch?.(outcome);
      observer?.request(false, (now() - startedAt) / 1000);
    };
    const succeed = (answer: Authenticated): Authenticated => {
      finish('ok');
      const authenticated = withAuthenticatedGroup(answer);
      this.#cache.set(header, authenticated, SUCCESS_MILLISECONDS);
      return authenticated;
    };
    const fail = (error: unknown): never => {
      finish(failures.length === 0 ? 'ok' : 'error');
      throw error;
    };
    try {
      const answer = firstSuccess(authenticators, token, audiences, failures);
      return answer instanceof Promise ? answer.then(succeed, fail) : succeed(answer);
    } catch (error) {
      return fail(error);
    }
  }
}

/**
 * The answer of the first authenticator that accepts a token.
 * @param errors gets the errors of those that failed
 * @throws AuthenticationError, or rejects with it, if none accepts it
 */
function firstSuccess(
  authenticators: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[],
  errors: Error[],
): Authenticated | Promise<Authenticated> {
  for (const [position, authenticator] of authenticators.entries()) {
    try {
      const answer = authenticator.authenticateToken(token, audiences);
      if (answer === undefined) continue;
      if (!(answer instanceof Promise)) return answer;
      return answer
        .catch((error: Error) => void errors.push(error))
        .then((late) => late ?? firstSuccess(authenticators.slice(position + 1), token, audiences, errors));
    } catch (error) {
      errors.push(error as Error);
    }
  }
  throw new AuthenticationError(aggregate(['invalid bearer token', ...errors.map((error) => error.message)]));
}

/**
 * The requested audiences among those of the server, for authenticators whose tokens name no audiences.
 * @returns undefined when there are none: the token is not valid for the request
 */
export function intersectAudiences(
  own: readonly string[],
  requested: readonly string[] | undefined,
): readonly string[] | undefined {
  if (requested === undefined || requested === own) return own;
  const shared = requested.filter((audience) => own.includes(audience));
  return shared.length > 0 ? shared : undefined;
}
