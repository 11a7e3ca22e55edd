import {
  type Authenticated,
  AuthenticationError,
  type Authenticator,
  type Credentials,
  type TokenAuthenticator,
} from '../request/authenticator.ts';
import { withAuthenticatedGroup } from './user.ts';

/**
 * Successes are believed for this long without asking again; a revoked token works at most so much longer.
 */
const SUCCESS_MILLISECONDS = 10_000;
/** Tokens remembered; the oldest is forgotten when one more arrives. */
const CACHE_ENTRIES = 4096;

/** Told of the cache of tokens: for metrics. */
export interface TokenCacheObserver {
  /** A token was known, or not; @param seconds until it was answered */
  request(hit: boolean, seconds: number): void;
  /** The authenticators begin to be asked about a token. @returns to be called with whether one knew it */
  fetch(): (known: boolean) => void;
}

export interface BearerOptions {
  readonly authenticators: readonly TokenAuthenticator[];
  /** Audiences a token must be for (`--api-audiences`). */
  readonly audiences: readonly string[];
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly observer?: TokenCacheObserver;
}

/** Authenticates `Authorization: Bearer <token>`, and tokens alone for TokenReview. */
export interface BearerAuthenticator extends Authenticator {
  /**
   * As for a request with this token.
   * @throws AuthenticationError for a token nobody knows, or rejects with it
   */
  authenticateToken(token: string): Authenticated | Promise<Authenticated>;
  /**
   * As for a request, but for the audiences given, and never from memory.
   * @throws AuthenticationError for a token nobody knows
   */
  review(token: string, audiences: readonly string[]): Promise<Authenticated>;
}

/**
 * The token of an Authorization header, or undefined where it carries none for us: the scheme is matched
 * without case, what follows a second space is ignored, and an empty token (`Bearer  x`) is none at all.
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
 * Makes the authenticator of tokens: asks each of `authenticators` in order, and remembers successes for a
 * moment.
 */
export function createBearerAuthenticator({
  authenticators,
  audiences,
  now,
  observer,
}: BearerOptions): BearerAuthenticator {
  /** By whole header, so that a repeated one isn't even taken apart. */
  const known = new Map<string, { readonly authenticated: Authenticated; readonly until: number }>();

  const remember = (header: string, answer: Authenticated): Authenticated => {
    const authenticated = withAuthenticatedGroup(answer);
    known.delete(header);
    if (known.size >= CACHE_ENTRIES) known.delete(known.keys().next().value!);
    known.set(header, { authenticated, until: now() + SUCCESS_MILLISECONDS });
    return authenticated;
  };

  const ask = (
    token: string,
    wanted: readonly string[],
    from: number,
    errors: Error[],
  ): Authenticated | Promise<Authenticated> => {
    for (let position = from; position < authenticators.length; position++) {
      try {
        const answer = authenticators[position]!.authenticateToken(token, wanted);
        if (answer === undefined) continue;
        if (!(answer instanceof Promise)) return answer;
        return answer
          .catch((error: Error) => void errors.push(error))
          .then((late) => late ?? ask(token, wanted, position + 1, errors));
      } catch (error) {
        errors.push(error as Error);
      }
    }
    const texts = [...new Set(['invalid bearer token', ...errors.map((error) => error.message)])];
    throw new AuthenticationError(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
  };

  /** Asks and remembers; whoever watches is told how it went. */
  const fetch = (header: string, token: string): Authenticated | Promise<Authenticated> => {
    const begun = now();
    const told = observer?.fetch();
    const succeed = (answer: Authenticated): Authenticated => {
      told?.(true);
      observer?.request(false, (now() - begun) / 1000);
      return remember(header, answer);
    };
    const fail = (error: unknown): never => {
      told?.(false);
      observer?.request(false, (now() - begun) / 1000);
      throw error;
    };
    try {
      const answer = ask(token, audiences, 0, []);
      return answer instanceof Promise ? answer.then(succeed, fail) : succeed(answer);
    } catch (error) {
      return fail(error);
    }
  };

  const authenticateHeader = (header: string): Authenticated | Promise<Authenticated> | undefined => {
    const entry = known.get(header);
    if (entry !== undefined && now() < entry.until) {
      observer?.request(true, 0);
      return entry.authenticated;
    }
    const token = parseBearer(header);
    return token === undefined ? undefined : fetch(header, token);
  };

  return {
    name: 'bearer',
    authenticate(credentials: Credentials) {
      const header = credentials.header('authorization');
      return header === undefined ? undefined : authenticateHeader(header);
    },
    authenticateToken(token) {
      const entry = known.get(`Bearer ${token}`);
      return entry !== undefined && now() < entry.until
        ? entry.authenticated
        : fetch(`Bearer ${token}`, token);
    },
    async review(token, wanted) {
      return withAuthenticatedGroup(await ask(token, wanted, 0, []));
    },
  };
}

/**
 * The audiences an authenticator without own audiences vouches for: those of the server that were asked for.
 * @returns undefined when none of them was, so the token is not for the asker
 */
export function intersectAudiences(
  own: readonly string[],
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (wanted === undefined || wanted === own) return own;
  const shared = wanted.filter((audience) => own.includes(audience));
  return shared.length > 0 ? shared : undefined;
}
