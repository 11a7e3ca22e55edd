import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readPem } from '../../pki/pem.ts';

/** Key types of JSON Web Tokens: how they sign, and how their tokens are checked. */
export type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

export interface VerificationKey {
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly publicKey: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const CURVES: Readonly<Record<string, TokenAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

function verificationKey(publicKey: KeyObject): VerificationKey | undefined {
  const algorithm =
    publicKey.asymmetricKeyType === 'rsa'
      ? 'RS256'
      : CURVES[publicKey.asymmetricKeyDetails?.namedCurve ?? ''];
  return algorithm === undefined ? undefined : { id: keyId(publicKey), algorithm, publicKey };
}

/** The `kid` of a key: a hash of its public half, so that every server names it alike. */
const keyId = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');

/**
 * Keys that tokens are checked with (`--service-account-key-file`): RSA or ECDSA, as public keys, private
 * keys or certificates, any number in one file.
 * @param path shown in the error only
 * @throws Error when there is none: the server must not start
 */
export function readVerificationKeys(pem: string, path: string): VerificationKey[] {
  const keys = readPem(pem).flatMap(({ label, text }) => {
    // Parameters stand before a private key of an elliptic curve, and hold no key.
    if (label === 'EC PARAMETERS') return [];
    try {
      return (
        verificationKey(createPublicKey(label.endsWith('PRIVATE KEY') ? createPrivateKey(text) : text)) ?? []
      );
    } catch {
      return [];
    }
  });
  if (keys.length === 0)
    throw new Error(
      `error reading public key file ${path}: data does not contain any valid RSA or ECDSA public keys`,
    );
  return keys;
}

/**
 * The key that tokens are signed with (`--service-account-signing-key-file`): PKCS #1, PKCS #8 or SEC 1.
 * @throws Error for anything else: the server must not start
 */
export function readSigningKey(pem: string, path: string): SigningKey {
  for (const { label, text } of readPem(pem)) {
    if (!label.endsWith('PRIVATE KEY')) continue;
    try {
      const privateKey = createPrivateKey(text);
      const key = verificationKey(createPublicKey(privateKey));
      if (key !== undefined) return { ...key, privateKey };
    } catch {
      // Said below, for every way in which a file can be unusable.
    }
  }
  throw new Error(
    `failed to parse service-account-issuer-key-file: ${path}: data does not contain a valid RSA or ECDSA private key`,
  );
}
