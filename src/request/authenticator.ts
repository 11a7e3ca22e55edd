import type { X509Certificate } from 'node:crypto';
import { BinnacleError } from '../errors/binnacle-error.ts';
import type { UserInfo } from './user.ts';

/** The credentials of a request, a read-only view of the exchange. */
export interface Credentials {
  header(name: string): string | undefined;
  headerValues(name: string): readonly string[];
  /** All headers, one entry per value; for headers whose names contain data. */
  headers(): Iterable<readonly [string, string]>;
  readonly peerCertificates: readonly X509Certificate[] | undefined;
  /** The path, for the conditions of anonymous access. */
  readonly path: string;
  /** Warns the client about credentials that are ignored. */
  warn?(text: string): void;
}

export interface Authenticated {
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
  /** Audit annotations that tell about the credentials. */
  readonly annotations?: readonly (readonly [key: string, value: string])[];
  /** Warnings for the client about its credentials. */
  readonly warnings?: readonly string[];
}

/**
 * An authentication method. It returns undefined if the request has no credentials for it and throws
 * AuthenticationError if they are invalid. The union tries each method in order; the first success wins, and
 * an error fails the request only if none succeeds.
 */
export interface Authenticator {
  readonly name: string;
  authenticate(credentials: Credentials): Authenticated | undefined | Promise<Authenticated | undefined>;
}

/** Authenticates bearer tokens; used by the union and by TokenReview. */
export interface TokenAuthenticator {
  readonly name: string;
  authenticateToken(
    token: string,
    audiences?: readonly string[],
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}

export class AuthenticationError extends BinnacleError {
  override name = 'AuthenticationError';
  readonly code = 'ERR_BINNACLE_AUTHENTICATION';
}
