import { createPublicKey, type KeyObject } from 'node:crypto';
import { readSigningRequest, type SigningRequest } from '../../pki/certificate-request.ts';

/** Names of the curves that certificates can be for, as errors show them. */
const CURVES: Readonly<Record<string, string>> = {
  secp224r1: 'P-224',
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};
const REFUSED_CURVE = 'P-224';
const RSA_SIZES: readonly number[] = [3072, 4096];

/** Reads a public key in DER (SubjectPublicKeyInfo); undefined if kube-apiserver does not know it. */
export function readPublicKey(der: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const curve = key.asymmetricKeyDetails?.namedCurve;
    return curve === undefined || Object.hasOwn(CURVES, curve) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A certificate request and its key. */
export interface ReadRequest {
  readonly request: SigningRequest;
  readonly key: KeyObject;
}

/** Reads a certificate request in DER; undefined if it is none. */
export function readRequest(der: Buffer): ReadRequest | undefined {
  try {
    const request = readSigningRequest(der);
    const key = readPublicKey(request.publicKey);
    return key && { request, key };
  } catch {
    return undefined;
  }
}

/** Why no certificate is issued for a key. */
export interface KeyProblem {
  /** What the error shows of the key; undefined: nothing. */
  readonly shown?: string;
  readonly text: string;
}

/** Returns why a pod cannot have a certificate for a key. @param curves names of curves for the error */
export function keyProblem(key: KeyObject, curves: string): KeyProblem | undefined {
  const { namedCurve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return undefined;
    case 'ec':
      return CURVES[namedCurve] === REFUSED_CURVE
        ? { shown: `curve ${REFUSED_CURVE}`, text: `elliptic public keys must use curve ${curves}` }
        : undefined;
    case 'rsa':
      return RSA_SIZES.includes(modulusLength)
        ? undefined
        : {
            shown: `${modulusLength}-bit modulus`,
            text: `RSA keys must have modulus size ${RSA_SIZES.join(' or ')}`,
          };
    default:
      return { text: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA' };
  }
}
