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
import { readChildren, readElement } from './der-reader.ts';
import * as der from './der-writer.ts';
import type { KeyedCertificate } from './issue-certificate.ts';

const MINUTE = 60_000;
/** Certificates begin a little in the past: clocks differ. */
const BACKDATE = 5 * MINUTE;
/** Certificates that live longer end as much earlier as they begin. */
const SHORT = 8 * 60 * MINUTE;

/** Bits of KeyUsage by the names that requests give them, from the highest: digital signature is bit 0. */
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

/** Signs what others have asked for. */
export interface SigningAuthority {
  /**
   * A certificate for what is requested, PEM.
   * @param seconds its life, unless the authority ends before
   */
  issue(request: SigningRequest, usages: readonly string[], seconds: number, now: number): string;
}

/** @throws ConfigurationError when the key is not the certificate's, or of a kind that can't sign */
export function signingAuthority({ certificate, key }: KeyedCertificate, shown: string): SigningAuthority {
  let authority: X509Certificate;
  let privateKey: KeyObject;
  try {
    authority = new X509Certificate(certificate);
    privateKey = createPrivateKey(key);
  } catch (error) {
    throw new ConfigurationError(`error reading CA cert and key of ${shown}: ${(error as Error).message}`);
  }
  if (!authority.checkPrivateKey(privateKey))
    throw new ConfigurationError(
      `error reading CA cert and key of ${shown}: the key is not the certificate's`,
    );
  const { identifier, digest } = signatureAlgorithm(privateKey, shown);
  const issuer = subjectOf(authority);
  const ends = Date.parse(authority.validTo);
  const keyId = createHash('sha1')
    .update(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }))
    .digest();
  return {
    issue({ subject, publicKey, alternativeNames }, usages, seconds, now) {
      const life = seconds * 1000;
      const until = Math.min(now + life - (life < SHORT ? 0 : BACKDATE), ends);
      const serial = randomBytes(16);
      serial[0] = (serial[0]! & 0x7f) | 0x40;
      const body = der.sequence(
        der.explicit(0, der.integer(Buffer.from([2]))),
        der.integer(serial),
        identifier,
        issuer,
        der.sequence(der.time(new Date(now - BACKDATE)), der.time(new Date(until))),
        subject,
        publicKey,
        der.explicit(
          3,
          der.sequence(
            ...usageExtensions(usages),
            constraints,
            authorityKey(authorityIdentifier(authority) ?? keyId),
            ...names(alternativeNames),
          ),
        ),
      );
      const content = der.sequence(body, identifier, der.bitString(sign(digest, body, privateKey)));
      return `-----BEGIN CERTIFICATE-----\n${content.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
    },
  };
}

const extension = (id: string, critical: boolean, content: Buffer): Buffer =>
  der.sequence(der.objectIdentifier(id), ...(critical ? [der.boolean(true)] : []), der.octetString(content));
const constraints = extension('2.5.29.19', true, der.sequence());
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

/** A bit string without zero bits at its end, as DER wants named bits. */
function usageBits(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return der.bitString(bytes, 7 - (last & 7));
}

/** The subject as it stands in the certificate: an issuer's name is compared byte by byte. */
function subjectOf(certificate: X509Certificate): Buffer {
  const body = readChildren(readElement(certificate.raw, 0).content)[0]!.content;
  let position = 0;
  // version, serial number, signature, issuer, validity come before it.
  for (let skipped = 0; skipped < 5; skipped++) position = readElement(body, position).end;
  return body.subarray(position, readElement(body, position).end);
}

function authorityIdentifier(certificate: X509Certificate): Buffer | undefined {
  const body = readChildren(readElement(certificate.raw, 0).content)[0]!.content;
  const extensions = readChildren(body).at(-1);
  if (extensions?.tag !== 0xa3) return undefined;
  const wanted = der.objectIdentifier('2.5.29.14');
  for (const { content } of readChildren(readElement(extensions.content, 0).content)) {
    if (!content.subarray(0, wanted.length).equals(wanted)) continue;
    return readElement(readChildren(content).at(-1)!.content, 0).content;
  }
  return undefined;
}

function signatureAlgorithm(
  key: KeyObject,
  shown: string,
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
    throw new ConfigurationError(`the key of ${shown} is of a kind that cannot sign certificates`);
  const id = { 256: '1.2.840.10045.4.3.2', 384: '1.2.840.10045.4.3.3', 512: '1.2.840.10045.4.3.4' }[size]!;
  return { identifier: der.sequence(der.objectIdentifier(id)), digest: `sha${size}` };
}
