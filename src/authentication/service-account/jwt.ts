import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { isJsonObject } from '../../model/json-object.ts';
import type { SigningKey, TokenAlgorithm } from './keys.ts';

/** A decoded, unverified JSON Web Token. */
export interface DecodedToken {
  readonly algorithm: string;
  readonly keyId: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signedPart: string;
  readonly signature: Buffer;
}

/** Longer texts are not decoded. */
const LENGTH_LIMIT = 64 * 1024;

function decodePart(part: string): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns undefined for a text that is not a signed token in compact serialization */
export function decodeToken(token: string): DecodedToken | undefined {
  if (token.length > LENGTH_LIMIT) return undefined;
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const [head, body, signature] = parts as [string, string, string];
  const header = decodePart(head);
  const claims = header === undefined ? undefined : decodePart(body);
  if (header === undefined || claims === undefined || typeof header.alg !== 'string') return undefined;
  const { alg, kid } = header;
  if (!isHeaderSupported(header) || !isKeyId(kid) || !/^[A-Za-z0-9_-]*$/.test(signature)) return undefined;
  return {
    algorithm: alg,
    keyId: typeof kid === 'string' ? kid : undefined,
    claims,
    signedPart: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

/**
 * Whether the header needs no unsupported extension: `crit` lists critical header parameters, `b64` is the
 * payload encoding.
 */
function isHeaderSupported({ crit, b64 }: Readonly<Record<string, unknown>>): boolean {
  if (b64 !== undefined && b64 !== true) return false;
  return crit === undefined || (Array.isArray(crit) && crit.every((name) => name === 'b64'));
}

const isKeyId = (kid: unknown): boolean => kid === undefined || kid === null || typeof kid === 'string';

interface Scheme {
  readonly keyType: 'rsa' | 'ec';
  readonly hash: string;
  readonly curve?: string;
  readonly pss?: boolean;
}

/** Supported algorithms by key type. `none` and symmetric algorithms are excluded. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ['RS256', { keyType: 'rsa', hash: 'sha256' }],
  ['RS384', { keyType: 'rsa', hash: 'sha384' }],
  ['RS512', { keyType: 'rsa', hash: 'sha512' }],
  ['PS256', { keyType: 'rsa', hash: 'sha256', pss: true }],
  ['PS384', { keyType: 'rsa', hash: 'sha384', pss: true }],
  ['PS512', { keyType: 'rsa', hash: 'sha512', pss: true }],
  ['ES256', { keyType: 'ec', hash: 'sha256', curve: 'prime256v1' }],
  ['ES384', { keyType: 'ec', hash: 'sha384', curve: 'secp384r1' }],
  ['ES512', { keyType: 'ec', hash: 'sha512', curve: 'secp521r1' }],
]);

const keyOptions = (key: KeyObject, { pss }: Scheme) => ({
  key,
  dsaEncoding: 'ieee-p1363' as const,
  ...(pss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {}),
});

/**
 * Whether one of the keys made the signature. Keys with another id than the token's are tried only when no
 * key has its id.
 */
export function isSignedBy(
  token: DecodedToken,
  keys: readonly { readonly id: string | undefined; readonly publicKey: KeyObject }[],
): boolean {
  const scheme = SCHEMES.get(token.algorithm);
  if (scheme === undefined) return false;
  const matching = keys.filter(({ id }) => id === token.keyId);
  return (matching.length > 0 ? matching : keys).some(({ publicKey }) => {
    if (
      publicKey.asymmetricKeyType !== scheme.keyType ||
      (scheme.curve !== undefined && publicKey.asymmetricKeyDetails?.namedCurve !== scheme.curve)
    )
      return false;
    return verify(scheme.hash, Buffer.from(token.signedPart), keyOptions(publicKey, scheme), token.signature);
  });
}

const encodePart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims in the thread pool: an RSA signature takes about a millisecond. */
export function signToken(claims: object, { id, algorithm, privateKey }: SigningKey): Promise<string> {
  const signedPart = `${encodePart({ alg: algorithm satisfies TokenAlgorithm, kid: id })}.${encodePart(claims)}`;
  const scheme = SCHEMES.get(algorithm)!;
  return new Promise((resolve, reject) => {
    sign(scheme.hash, Buffer.from(signedPart), keyOptions(privateKey, scheme), (error, signature) =>
      error ? reject(error) : resolve(`${signedPart}.${signature.toString('base64url')}`),
    );
  });
}
