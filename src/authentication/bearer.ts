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
export function createBearerAuthenticator({
  authenticators,
  audiences,
  now,
  observer,
}: BearerOptions): BearerAuthenticator {
  /** Keyed by the whole header, so that a cache hit needs no parsing. */
  const cache = new TtlCache<Authenticated>({ capacity: CACHE_ENTRIES, now });

  const store = (header: string, answer: Authenticated): Authenticated => {
    const authenticated = withAuthenticatedGroup(answer);
    cache.set(header, authenticated, SUCCESS_MILLISECONDS);
    return authenticated;
  };

  const callAuthenticators = (
    token: string,
    requestedAudiences: readonly string[],
    from: number,
    errors: Error[],
  ): Authenticated | Promise<Authenticated> => {
    for (let position = from; position < authenticators.length; position++) {
      try {
        const answer = authenticators[position]!.authenticateToken(token, requestedAudiences);
        if (answer === undefined) continue;
        if (!(answer instanceof Promise)) return answer;
        return answer
          .catch((error: Error) => void errors.push(error))
          .then((late) => late ?? callAuthenticators(token, requestedAudiences, position + 1, errors));
      } catch (error) {
        errors.push(error as Error);
      }
    }
    throw new AuthenticationError(
      aggregate(['invalid bearer token', ...errors.map((error) => error.message)]),
    );
  };

  /** Calls the authenticators, caches a success and notifies the observer. */
  const fetch = (header: string, token: string): Authenticated | Promise<Authenticated> => {
    const startedAt = now();
    const finishFetch = observer?.fetch();
    const failures: Error[] = [];
    const succeed = (answer: Authenticated): Authenticated => {
      finishFetch?.('ok');
      observer?.request(false, (now() - startedAt) / 1000);
      return store(header, answer);
    };
    const fail = (error: unknown): never => {
      finishFetch?.(failures.length === 0 ? 'ok' : 'error');
      observer?.request(false, (now() - startedAt) / 1000);
      throw error;
    };
    try {
      const answer = callAuthenticators(token, audiences, 0, failures);
      return answer instanceof Promise ? answer.then(succeed, fail) : succeed(answer);
    } catch (error) {
      return fail(error);
    }
  };

  const authenticateHeader = (header: string): Authenticated | Promise<Authenticated> | undefined => {
    const entry = cache.get(header);
    if (entry !== undefined) {
      observer?.request(true, 0);
      return entry.value;
    }
    const token = parseBearer(header);
    return token === undefined ? undefined : fetch(header, token);
  };

  return {
    name: 'bearer',
    authenticate(credentials: Credentials) {
      const header = credentials.header('authorization');
      if (header === undefined) return undefined;
      const answer = authenticateHeader(header);
      if (answer === undefined && /^\s*bearer {2}/i.test(header)) credentials.warn?.(EXTRA_SPACE);
      return answer;
    },
    authenticateToken(token) {
      return cache.get(`Bearer ${token}`)?.value ?? fetch(`Bearer ${token}`, token);
    },
    forget: () => cache.clear(),
    async review(token, requestedAudiences) {
      return withAuthenticatedGroup(await callAuthenticators(token, requestedAudiences, 0, []));
    },
  };
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
