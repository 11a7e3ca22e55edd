import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as der from '../../src/pki/der.ts';

export interface RequestParts {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly hosts?: readonly string[];
  readonly addresses?: readonly (readonly number[])[];
  readonly emails?: readonly string[];
  readonly uris?: readonly string[];
  /** Signs with another key than the certified one. */
  readonly signer?: KeyObject;
  readonly kind?: 'ec' | 'rsa' | 'ed25519';
}

const pem = (label: string, content: Buffer) =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;

/** A certificate request (PKCS #10) with a new key, both PEM. */
export function certificateRequest({
  commonName,
  organizations = [],
  hosts = [],
  addresses = [],
  emails = [],
  uris = [],
  signer,
  kind = 'ec',
}: RequestParts) {
  const { publicKey, privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ed25519');
  const attribute = (type: string, text: string) =>
    der.set(der.sequence(der.objectIdentifier(type), der.utf8String(text)));
  const ascii = (tag: number) => (text: string) => der.implicit(tag, Buffer.from(text, 'latin1'));
  const names = [
    ...emails.map(ascii(1)),
    ...hosts.map(ascii(2)),
    ...uris.map(ascii(6)),
    ...addresses.map((bytes) => der.implicit(7, Buffer.from(bytes))),
  ];
  const extensions = der.sequence(
    der.sequence(der.objectIdentifier('2.5.29.17'), der.octetString(der.sequence(...names))),
  );
  const info = der.sequence(
    der.integer(Buffer.from([0])),
    der.sequence(
      ...organizations.map((text) => attribute('2.5.4.10', text)),
      attribute('2.5.4.3', commonName),
    ),
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(
      0,
      names.length === 0
        ? Buffer.alloc(0)
        : der.sequence(der.objectIdentifier('1.2.840.113549.1.9.14'), der.set(extensions)),
    ),
  );
  const algorithm = {
    ec: der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2')),
    rsa: der.sequence(der.objectIdentifier('1.2.840.113549.1.1.11'), Buffer.from([5, 0])),
    ed25519: der.sequence(der.objectIdentifier('1.3.101.112')),
  }[kind];
  const signature = sign(kind === 'ed25519' ? undefined : 'sha256', info, signer ?? privateKey);
  return {
    request: pem('CERTIFICATE REQUEST', der.sequence(info, algorithm, der.bitString(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey,
  };
}
