import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  type DerElement,
  explicitTag,
  implicitTag,
  readChildren,
  readElement,
  readObjectIdentifier,
  TAG,
} from './der.ts';
import type { RequestedCertificate } from './requested-certificate.ts';

/** `[0] Attributes` of CertificationRequestInfo. */
const ATTRIBUTES_TAG = explicitTag(0);
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
/** Kinds of alternative names by their tag bytes. */
const NAMES: ReadonlyMap<number, 'emails' | 'hosts' | 'uris' | 'addresses'> = new Map([
  [implicitTag(1), 'emails'],
  [implicitTag(2), 'hosts'],
  [implicitTag(6), 'uris'],
  [implicitTag(7), 'addresses'],
]);

/** Digest of each signature algorithm; undefined where the algorithm includes it. */
const DIGESTS: ReadonlyMap<string, string | undefined> = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.3.101.112', undefined],
]);

/** Exactly one block and no text around it, so that another parser cannot read a different request. */
const ONLY_BLOCK =
  /^\s*-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----\s*$/;
/** String types that read the same as UTF-8. */
const STRING_TAGS: ReadonlySet<number> = new Set([TAG.utf8String, TAG.printableString, TAG.ia5String]);

/** A certificate request (PKCS #10), with the parts that are copied into the certificate unchanged. */
export interface SigningRequest extends RequestedCertificate {
  /** DER of the subject and of the public key. */
  readonly subject: Buffer;
  readonly publicKey: Buffer;
  /** DER of each alternative name of a known kind. */
  readonly alternativeNames: readonly Buffer[];
  /** @throws Error unless the request is signed with the private key of `publicKey` */
  checkSignature(): void;
}

/**
 * Reads a certificate request in PEM.
 * @throws Error for text that is not a certificate request
 */
export function readPemSigningRequest(pem: string): SigningRequest {
  const body = ONLY_BLOCK.exec(pem)?.[1];
  if (body === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  return readSigningRequest(Buffer.from(body, 'base64'));
}

/**
 * Reads a certificate request in DER.
 * @throws Error for bytes that are not a certificate request
 */
export function readSigningRequest(whole: Buffer): SigningRequest {
  const { tag, content: outer, end } = readElement(whole);
  const [info, algorithm, signature] = readChildren(outer);
  const isRequest =
    tag === TAG.sequence &&
    end === whole.length &&
    info?.tag === TAG.sequence &&
    algorithm?.tag === TAG.sequence &&
    signature?.tag === TAG.bitString &&
    // Signatures are whole bytes: no unused bits.
    signature.content[0] === 0 &&
    algorithm.content[0] === TAG.objectIdentifier;
  if (!isRequest) throw new Error('asn1: structure error: not a certificate request');
  const parts = readChildren(info.content);
  const [, subject, publicKey] = parts;
  const names = alternativeNames(parts.find(({ tag }) => tag === ATTRIBUTES_TAG));
  const namesOf = (kind: string) =>
    names.filter((name) => NAMES.get(name.tag) === kind).map(({ content }) => content.toString('latin1'));
  return {
    subject: subject!.raw,
    publicKey: publicKey!.raw,
    commonName: subjectValues(subject!, COMMON_NAME).at(-1) ?? '',
    organizations: subjectValues(subject!, ORGANIZATION),
    hosts: namesOf('hosts'),
    addresses: namesOf('addresses'),
    emails: namesOf('emails'),
    uris: namesOf('uris'),
    alternativeNames: names.filter((name) => NAMES.has(name.tag)).map(({ raw }) => raw),
    checkSignature: () =>
      checkSignature(
        info.raw,
        publicKey!.raw,
        readObjectIdentifier(readChildren(algorithm.content)[0]!.content),
        signature,
      ),
  };
}

function checkSignature(signed: Buffer, publicKey: Buffer, algorithm: string, signature: DerElement): void {
  if (!DIGESTS.has(algorithm))
    throw new Error(
      `unable to verify certificate request signature: algorithm ${algorithm} is not supported`,
    );
  let key: KeyObject;
  try {
    key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  } catch {
    throw new Error('unable to verify certificate request signature: the public key cannot be read');
  }
  if (!verify(DIGESTS.get(algorithm), signed, key, signature.content.subarray(1)))
    throw new Error('unable to verify certificate request signature');
}

/** Values of one attribute type of a distinguished name, in order. */
function subjectValues({ content }: DerElement, type: string): string[] {
  return readChildren(content).flatMap((set) =>
    readChildren(set.content).flatMap((attribute) => {
      const [identifier, value] = readChildren(attribute.content);
      if (value !== undefined && !STRING_TAGS.has(value.tag))
        throw new Error('asn1: structure error: unsupported string type in the subject');
      return identifier?.tag === TAG.objectIdentifier &&
        value !== undefined &&
        readObjectIdentifier(identifier.content) === type
        ? [value.content.toString('utf8')]
        : [];
    }),
  );
}

function alternativeNames(attributes: DerElement | undefined): DerElement[] {
  for (const attribute of attributes === undefined ? [] : readChildren(attributes.content)) {
    const [type, values] = readChildren(attribute.content);
    if (
      type === undefined ||
      values === undefined ||
      readObjectIdentifier(type.content) !== EXTENSION_REQUEST
    )
      continue;
    for (const extension of readChildren(readElement(values.content).content)) {
      const inner = readChildren(extension.content);
      const value = inner.at(-1);
      if (
        inner[0] !== undefined &&
        value?.tag === TAG.octetString &&
        readObjectIdentifier(inner[0].content) === ALTERNATIVE_NAMES
      )
        return readChildren(readElement(value.content).content);
    }
  }
  return [];
}
