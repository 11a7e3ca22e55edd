import type { X509Certificate } from 'node:crypto';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  bitString,
  boolean,
  explicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from '../../../src/pki/der.ts';

const OIDS: Readonly<Record<string, string>> = { CN: '2.5.4.3', O: '2.5.4.10', UID: '1.3.6.1.4.1.57683.2' };
export const NOW = Date.parse('2026-06-01T00:00:00Z');
const DAY = 86_400_000;

export interface TestCertificate {
  readonly raw: Buffer;
  readonly pem: string;
  readonly name: Buffer;
  readonly key: KeyObject;
}

export interface TestCertificateOptions {
  readonly subject: readonly (readonly [attribute: string, value: string])[];
  /** Undefined: self-signed. */
  readonly issuer?: TestCertificate;
  readonly isAuthority?: boolean;
  readonly pathLength?: number;
  readonly purposes?: readonly string[];
  /** Days around NOW. */
  readonly from?: number;
  readonly until?: number;
  /** Object identifier of an unknown critical extension. */
  readonly critical?: string;
  readonly hash?: 'sha256' | 'sha1';
}

/** Issues a test certificate, also invalid ones. */
export function testCertificate({
  subject,
  issuer,
  isAuthority = false,
  pathLength,
  purposes = [],
  from = -1,
  until = 1,
  critical,
  hash = 'sha256',
}: TestCertificateOptions): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(
    ...subject.map(([attribute, value]) =>
      set(sequence(objectIdentifier(OIDS[attribute]!), utf8String(value))),
    ),
  );
  const extension = (id: string, isCritical: boolean, value: Uint8Array) =>
    sequence(objectIdentifier(id), ...(isCritical ? [boolean(true)] : []), octetString(value));
  const extensions = [
    extension(
      '2.5.29.19',
      true,
      isAuthority
        ? sequence(boolean(true), ...(pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))]))
        : sequence(),
    ),
    ...(purposes.length === 0
      ? []
      : [extension('2.5.29.37', false, sequence(...purposes.map(objectIdentifier)))]),
    ...(critical === undefined ? [] : [extension(critical, true, sequence())]),
  ];
  const algorithm = sequence(objectIdentifier(hash === 'sha1' ? '1.2.840.10045.4.1' : '1.2.840.10045.4.3.2'));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const serial = integer(createHash('sha1').update(spki).digest().subarray(0, 8));
  const validity = sequence(time(new Date(NOW + from * DAY)), time(new Date(NOW + until * DAY)));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    serial,
    algorithm,
    issuer?.name ?? name,
    validity,
    name,
    spki,
    explicit(3, sequence(...extensions)),
  );
  const raw = Buffer.from(sequence(body, algorithm, bitString(sign(hash, body, issuer?.key ?? privateKey))));
  return {
    raw,
    name: Buffer.from(name),
    key: privateKey,
    pem: `-----BEGIN CERTIFICATE-----\n${raw.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** A chain as a connection reports it. */
export const peers = (...chain: readonly TestCertificate[]): X509Certificate[] =>
  chain.map(({ raw }) => ({ raw }) as X509Certificate);
