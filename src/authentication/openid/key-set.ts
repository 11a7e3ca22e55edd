import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { objectClaim } from '../service-account/claims.ts';
import { type DecodedToken, isSignedBy } from '../service-account/jwt.ts';

/** Keys of one issuer; more are left out. */
const MAXIMUM_KEYS = 100;
/**
 * Keys are asked for anew this often at once, and once more each time the interval is over, however many
 * tokens with unknown keys come.
 */
const REFETCH_BURST = 5;
const REFETCH_MILLISECONDS = 10_000;

interface Key {
  readonly id: string | undefined;
  readonly publicKey: KeyObject;
}

export interface KeySetOptions {
  /** The issuer's key set document. */
  readonly fetch: () => Promise<Readonly<Record<string, unknown>>>;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/**
 * The keys of an issuer, asked for when they are needed first and when a token was signed with one that isn't
 * known.
 */
export interface KeySet {
  /** Whether one of the issuer's keys signed the token. Rejects when its keys couldn't be fetched. */
  verifies(token: DecodedToken): boolean | Promise<boolean>;
}

/** Makes a key set. Fetches are shared by all who wait for keys, and limited in number. */
export function createKeySet({ fetch, now }: KeySetOptions): KeySet {
  let keys: readonly Key[] = [];
  let pending: Promise<readonly Key[]> | undefined;
  let credit = REFETCH_BURST;
  let counted = now();

  const mayFetch = (): boolean => {
    const intervals = Math.floor((now() - counted) / REFETCH_MILLISECONDS);
    credit = Math.min(REFETCH_BURST, credit + intervals);
    counted += intervals * REFETCH_MILLISECONDS;
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
      // Whoever waits for keys that are on their way asks for no others.
      if (pending === undefined && !mayFetch()) return false;
      return refetch().then((fresh) => isSignedByOneOf(token, fresh));
    },
  };
}

/** A token that names a key is checked with keys of that id only. */
function isSignedByOneOf(token: DecodedToken, keys: readonly Key[]): boolean {
  const candidates =
    token.keyId === undefined || token.keyId === '' ? keys : keys.filter(({ id }) => id === token.keyId);
  return candidates.length > 0 && isSignedBy(token, candidates);
}

/** The keys of a document that can be used; others are passed over. */
function readKeys(document: Readonly<Record<string, unknown>>): Key[] {
  const listed = Array.isArray(document.keys) ? document.keys.slice(0, MAXIMUM_KEYS) : [];
  return listed.map(objectClaim).flatMap((jwk): Key[] => {
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
