import type { PeerCertificate } from 'node:tls';
import type { UserInfo } from './user.ts';

/** The credentials a request carries: read-only view of the exchange. */
export interface Credentials {
  header(name: string): string | undefined;
  headerValues(name: string): readonly string[];
  /** All headers, one entry a value; for those whose names carry something. */
  headers(): Iterable<readonly [string, string]>;
  readonly peerCertificates: readonly PeerCertificate[] | undefined;
  /** Path, for conditions of anonymous access. */
  readonly path: string;
}

export interface Authenticated {
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
}

/**
 * One way to authenticate. Answers undefined when the request carries nothing for it; throws
 * AuthenticationError when it carries something invalid. The union tries each in order; the first success
 * wins; an error fails the request only when none succeeds.
 */
export interface Authenticator {
  readonly name: string;
  authenticate(credentials: Credentials): Authenticated | undefined | Promise<Authenticated | undefined>;
}

/** Bearer tokens alone: used by the union, and by TokenReview. */
export interface TokenAuthenticator {
  readonly name: string;
  authenticateToken(
    token: string,
    audiences?: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}

export class AuthenticationError extends Error {
  override name = 'AuthenticationError';
}
