import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readPem } from '../../pki/pem.ts';

/** Signature algorithms of service account tokens. */
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

/** The `kid` of a key: a hash of its public key, so that it is the same on every server. */
const keyId = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');

/**
 * Parses verification keys (`--service-account-key-file`): any number of RSA or ECDSA public keys, private
 * keys and certificates.
 * @param path file name for errors
 * @throws Error without a valid key: the server must not start
 */
export function readVerificationKeys(pem: string, path: string): VerificationKey[] {
  const keys = readPem(pem).flatMap(({ label, text }) => {
    // A parameters block may precede an EC private key.
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
 * Parses the signing key (`--service-account-signing-key-file`): PKCS #1, PKCS #8 or SEC 1.
 * @throws Error without a valid key: the server must not start
 */
export function readSigningKey(pem: string, path: string): SigningKey {
  for (const { label, text } of readPem(pem)) {
    if (!label.endsWith('PRIVATE KEY')) continue;
    try {
      const privateKey = createPrivateKey(text);
      const key = verificationKey(createPublicKey(privateKey));
      if (key !== undefined) return { ...key, privateKey };
    } catch {
      // Reported below.
    }
  }
  throw new Error(
    `failed to parse service-account-issuer-key-file: ${path}: data does not contain a valid RSA or ECDSA private key`,
  );
}
