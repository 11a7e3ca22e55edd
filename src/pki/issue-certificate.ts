import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { addressBytes, parseAddress } from '../addresses/address.ts';
import * as der from './der.ts';
import { writePem } from './pem.ts';
import { writePrivateKey } from './private-key.ts';

/** A certificate and its private key, both PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export interface LeafRequest {
  readonly subject: Subject;
  readonly usage: 'server' | 'client';
  readonly hosts?: readonly string[];
  readonly addresses?: readonly string[];
  readonly validFrom: Date;
  readonly validTo: Date;
}

const ECDSA_WITH_SHA256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));
const COMMON_NAME = der.objectIdentifier('2.5.4.3');
const ORGANIZATION = der.objectIdentifier('2.5.4.10');
const USAGES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' };
const HOST_NAME_TAG = 2;
const ADDRESS_TAG = 7;

/** Creates a certificate authority that may sign leaf certificates only. */
export function createAuthority(subject: Subject, validFrom: Date, validTo: Date): KeyedCertificate {
  const { publicKey, privateKey } = generateKey();
  const identifier = keyIdentifier(publicKey);
  const certificate = build({
    subject: name(subject),
    issuer: name(subject),
    publicKey,
    validFrom,
    validTo,
    signer: privateKey,
    extensions: [
      extension('2.5.29.19', true, der.sequence(der.boolean(true), der.integer(Buffer.from([0])))),
      extension('2.5.29.15', true, keyUsage(0x06)),
      extension('2.5.29.14', false, der.octetString(identifier)),
    ],
  });
  return { certificate, key: writePrivateKey(privateKey) };
}

/** Issues a server or client certificate, signed by `authority`. */
export function issueCertificate(authority: KeyedCertificate, request: LeafRequest): KeyedCertificate {
  const { publicKey, privateKey } = generateKey();
  const signer = createPrivateKey(authority.key);
  const names = [
    ...(request.hosts ?? []).map((host) => der.implicit(HOST_NAME_TAG, Buffer.from(host, 'latin1'))),
    ...(request.addresses ?? []).map((address) =>
      der.implicit(ADDRESS_TAG, Buffer.from(addressBytes(parseAddress(address)!))),
    ),
  ];
  const certificate = build({
    subject: name(request.subject),
    issuer: subjectOf(new X509Certificate(authority.certificate)),
    publicKey,
    validFrom: request.validFrom,
    validTo: request.validTo,
    signer,
    extensions: [
      extension('2.5.29.19', true, der.sequence()),
      extension('2.5.29.15', true, keyUsage(0x80)),
      extension('2.5.29.37', false, der.sequence(der.objectIdentifier(USAGES[request.usage]))),
      extension('2.5.29.14', false, der.octetString(keyIdentifier(publicKey))),
      extension(
        '2.5.29.35',
        false,
        der.sequence(der.implicit(0, keyIdentifier(encoded(createPublicKey(signer))))),
      ),
      ...(names.length === 0 ? [] : [extension('2.5.29.17', false, der.sequence(...names))]),
    ],
  });
  return { certificate, key: writePrivateKey(privateKey) };
}

interface CertificateFields {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly extensions: readonly Buffer[];
  readonly signer: KeyObject;
}

function build({
  subject,
  issuer,
  publicKey,
  validFrom,
  validTo,
  extensions,
  signer,
}: CertificateFields): string {
  const version3 = der.explicit(0, der.integer(Buffer.from([2])));
  const body = der.sequence(
    version3,
    der.integer(serialNumber()),
    ECDSA_WITH_SHA256,
    issuer,
    der.sequence(der.time(validFrom), der.time(validTo)),
    subject,
    publicKey,
    der.explicit(3, der.sequence(...extensions)),
  );
  const content = der.sequence(body, ECDSA_WITH_SHA256, der.bitString(sign('sha256', body, signer)));
  return writePem('CERTIFICATE', content);
}

/** 128 random bits, positive. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}

function name({ commonName, organizations = [] }: Subject): Buffer {
  const attribute = (type: Buffer, text: string) => der.set(der.sequence(type, der.utf8String(text)));
  return der.sequence(
    ...organizations.map((organization) => attribute(ORGANIZATION, organization)),
    attribute(COMMON_NAME, commonName),
  );
}

/** The subject of a certificate created here, repeated as the issuer of its leaf certificates. */
function subjectOf(certificate: X509Certificate): Buffer {
  const { CN, O } = certificate.toLegacyObject().subject as unknown as { CN: string; O?: string | string[] };
  return name({ commonName: CN, organizations: O === undefined ? [] : [O].flat() });
}

/** An extension of a certificate (RFC 5280, 4.1.2.9). */
export const extension = (id: string, critical: boolean, content: Buffer): Buffer =>
  der.sequence(der.objectIdentifier(id), ...(critical ? [der.boolean(true)] : []), der.octetString(content));

/**
 * Bits of the KeyUsage extension, highest first: 0x80 digital signature, 0x06 certificate and CRL signing.
 */
const keyUsage = (bits: number) => der.bitString(Buffer.from([bits]), 31 - Math.clz32(bits & -bits));

const keyIdentifier = (publicKey: Buffer): Buffer => createHash('sha1').update(publicKey).digest();

const encoded = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' });

/** SubjectPublicKeyInfo of a key on P-256 up to its point, which is not compressed (RFC 5480). */
const P256_POINT = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex');

/** A new key, and its encoded public part. OpenSSL's encoder takes longer than generating the key. */
function generateKey(): { readonly publicKey: Buffer; readonly privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const coordinates = [x!, y!].map((coordinate) => Buffer.from(coordinate, 'base64url'));
  return { publicKey: Buffer.concat([P256_POINT, ...coordinates]), privateKey };
}
