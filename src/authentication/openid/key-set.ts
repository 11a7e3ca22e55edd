import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { membersOf } from '../../model/json-object.ts';
import { type DecodedToken, isSignedBy } from '../service-account/jwt.ts';

/** Maximum keys of one issuer; further keys are ignored. */
const MAXIMUM_KEYS = 100;
/**
 * Rate limit of fetches, whatever number of tokens with unknown keys arrive: a burst, then one per interval.
 */
const REFETCH_BURST = 5;
const REFETCH_MILLISECONDS = 10_000;

interface Key {
  readonly id: string | undefined;
  readonly publicKey: KeyObject;
}

export interface KeySetOptions {
  /** Fetches the JWKS document of the issuer. */
  readonly fetch: () => Promise<Readonly<Record<string, unknown>>>;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/**
 * The keys of an issuer, fetched on first use and when a token was signed with an unknown key.
 */
export interface KeySet {
  /** Whether one of the issuer's keys signed the token. Rejects when the keys cannot be fetched. */
  verifies(token: DecodedToken): boolean | Promise<boolean>;
}

/** Creates a key set. Concurrent verifications share one fetch; fetches are rate-limited. */
export function createKeySet({ fetch, now }: KeySetOptions): KeySet {
  let keys: readonly Key[] = [];
  let pending: Promise<readonly Key[]> | undefined;
  let credit = REFETCH_BURST;
  let refilledAt = now();

  const mayFetch = (): boolean => {
    const intervals = Math.floor((now() - refilledAt) / REFETCH_MILLISECONDS);
    credit = Math.min(REFETCH_BURST, credit + intervals);
    refilledAt += intervals * REFETCH_MILLISECONDS;
    if (credit === 0) return false;
    credit -= 1;
    return true;
  };
  const refetch = (): Promise<readonly Key[]> => {
    pending ??= fetch()
      .then((document) => {
        keys = readKeys(document);
        return keys;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  return {
    verifies(token) {
      if (isSignedByOneOf(token, keys)) return true;
      // Joining a pending fetch costs no credit.
      if (pending === undefined && !mayFetch()) return false;
      return refetch().then((fetched) => isSignedByOneOf(token, fetched));
    },
  };
}

/** A token with a key id is verified with keys of that id only. */
function isSignedByOneOf(token: DecodedToken, keys: readonly Key[]): boolean {
  const candidates =
    token.keyId === undefined || token.keyId === '' ? keys : keys.filter(({ id }) => id === token.keyId);
  return candidates.length > 0 && isSignedBy(token, candidates);
}

/** The usable signature keys of a JWKS document; others are skipped. */
function readKeys(document: Readonly<Record<string, unknown>>): Key[] {
  const listed = Array.isArray(document.keys) ? document.keys.slice(0, MAXIMUM_KEYS) : [];
  return listed.map(membersOf).flatMap((jwk): Key[] => {
    const { kty, kid, use } = jwk;
    if ((kty !== 'RSA' && kty !== 'EC') || (use !== undefined && use !== 'sig')) return [];
    try {
      const publicKey = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
      return [{ id: typeof kid === 'string' && kid !== '' ? kid : undefined, publicKey }];
    } catch {
      return [];
    }
  });
}
