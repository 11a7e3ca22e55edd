import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { SigningRequest } from './certificate-request.ts';
import * as der from './der.ts';
import type { KeyedCertificate } from './issue-certificate.ts';
import { extension } from './issue-certificate.ts';
import { writePem } from './pem.ts';

const MINUTE = 60_000;
/** Certificates are valid from a little in the past, for clock skew. */
const BACKDATE = 5 * MINUTE;
/** Certificates with a longer duration also expire earlier by `BACKDATE`. */
const SHORT_DURATION = 8 * 60 * MINUTE;

/** Bits of KeyUsage by their names in requests, highest first: digital signature is bit 0. */
const KEY_USAGES: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};
const EXTENDED_USAGES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/** Signs certificate requests. */
export interface SigningAuthority {
  /**
   * Issues the certificate of a request, in PEM.
   * @param seconds its duration; it never outlives the authority
   * @param now wall clock, milliseconds
   */
  issue(request: SigningRequest, usages: readonly string[], seconds: number, now: number): string;
}

/** @throws ConfigurationError when the key does not match the certificate or is of an unsupported type */
export function createSigningAuthority(
  { certificate, key }: KeyedCertificate,
  source: string,
): SigningAuthority {
  let authority: X509Certificate;
  let privateKey: KeyObject;
  try {
    authority = new X509Certificate(certificate);
    privateKey = createPrivateKey(key);
  } catch (error) {
    throw new ConfigurationError(`error reading CA cert and key of ${source}: ${(error as Error).message}`);
  }
  if (!authority.checkPrivateKey(privateKey))
    throw new ConfigurationError(
      `error reading CA cert and key of ${source}: the private key does not match the certificate`,
    );
  const { identifier, digest } = signatureAlgorithm(privateKey, source);
  const issuer = subjectOf(authority);
  const authorityExpiry = Date.parse(authority.validTo);
  const keyId = createHash('sha1')
    .update(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }))
    .digest();
  return {
    issue({ subject, publicKey, alternativeNames }, usages, seconds, now) {
      const duration = seconds * 1000;
      const expiry = Math.min(now + duration - (duration < SHORT_DURATION ? 0 : BACKDATE), authorityExpiry);
      const serial = randomBytes(16);
      serial[0] = (serial[0]! & 0x7f) | 0x40;
      const body = der.sequence(
        der.explicit(0, der.integer(Buffer.from([2]))),
        der.integer(serial),
        identifier,
        issuer,
        der.sequence(der.time(new Date(now - BACKDATE)), der.time(new Date(expiry))),
        subject,
        publicKey,
        der.explicit(
          3,
          der.sequence(
            ...usageExtensions(usages),
            basicConstraints,
            authorityKey(authorityIdentifier(authority) ?? keyId),
            ...names(alternativeNames),
          ),
        ),
      );
      const content = der.sequence(body, identifier, der.bitString(sign(digest, body, privateKey)));
      return writePem('CERTIFICATE', content);
    },
  };
}

const basicConstraints = extension('2.5.29.19', true, der.sequence());
const authorityKey = (identifier: Buffer): Buffer =>
  extension('2.5.29.35', false, der.sequence(der.implicit(0, identifier)));
const names = (list: readonly Buffer[]): Buffer[] =>
  list.length === 0 ? [] : [extension('2.5.29.17', false, der.sequence(...list))];

function usageExtensions(usages: readonly string[]): Buffer[] {
  const bits = usages.flatMap((usage) => KEY_USAGES[usage] ?? []);
  const extended = [...new Set(usages.flatMap((usage) => EXTENDED_USAGES[usage] ?? []))];
  return [
    ...(bits.length === 0 ? [] : [extension('2.5.29.15', true, usageBits(bits))]),
    ...(extended.length === 0
      ? []
      : [extension('2.5.29.37', false, der.sequence(...extended.map(der.objectIdentifier)))]),
  ];
}

/** A named bit list: DER requires the trailing zero bits to be dropped. */
function usageBits(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return der.bitString(bytes, 7 - (last & 7));
}

/** The encoded subject of a certificate: verifiers compare an issuer's name byte by byte. */
function subjectOf(certificate: X509Certificate): Buffer {
  // It follows version, serial number, signature, issuer and validity.
  return bodyOf(certificate)[5]!.raw;
}

/** The members of TBSCertificate. */
function bodyOf(certificate: X509Certificate): readonly der.DerElement[] {
  return der.readChildren(der.readChildren(der.readElement(certificate.raw).content)[0]!.content);
}

function authorityIdentifier(certificate: X509Certificate): Buffer | undefined {
  const extensions = bodyOf(certificate).at(-1);
  if (extensions?.tag !== der.explicitTag(3)) return undefined;
  const subjectKeyIdentifier = der.objectIdentifier('2.5.29.14');
  for (const { content } of der.readChildren(der.readElement(extensions.content).content)) {
    if (!content.subarray(0, subjectKeyIdentifier.length).equals(subjectKeyIdentifier)) continue;
    return der.readElement(der.readChildren(content).at(-1)!.content).content;
  }
  return undefined;
}

function signatureAlgorithm(
  key: KeyObject,
  source: string,
): { readonly identifier: Buffer; readonly digest: string | undefined } {
  const kind = key.asymmetricKeyType;
  if (kind === 'rsa')
    return {
      identifier: der.sequence(der.objectIdentifier('1.2.840.113549.1.1.11'), Buffer.from([5, 0])),
      digest: 'sha256',
    };
  if (kind === 'ed25519')
    return { identifier: der.sequence(der.objectIdentifier('1.3.101.112')), digest: undefined };
  const size = { prime256v1: 256, secp384r1: 384, secp521r1: 512 }[
    key.asymmetricKeyDetails?.namedCurve ?? ''
  ];
  if (kind !== 'ec' || size === undefined)
    throw new ConfigurationError(
      `the key of ${source} has an unsupported type: use RSA, Ed25519 or ECDSA on P-256, P-384 or P-521`,
    );
  const id = { 256: '1.2.840.10045.4.3.2', 384: '1.2.840.10045.4.3.3', 512: '1.2.840.10045.4.3.4' }[size]!;
  return { identifier: der.sequence(der.objectIdentifier(id)), digest: `sha${size}` };
}
