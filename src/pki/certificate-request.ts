import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { DER, type DerElement, oidText, readChildren, readElement } from './der-reader.ts';
import type { RequestedCertificate } from './requested-certificate.ts';

const TAG = { bits: 0x03, octets: 0x04, oid: 0x06, attributes: 0xa0 } as const;
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
/** Kinds of alternative names by their tags. */
const NAMES: ReadonlyMap<number, 'emails' | 'hosts' | 'uris' | 'addresses'> = new Map([
  [0x81, 'emails'],
  [0x82, 'hosts'],
  [0x86, 'uris'],
  [0x87, 'addresses'],
]);

/** Digest by the signature's algorithm; undefined where the algorithm has its own. */
const DIGESTS: ReadonlyMap<string, string | undefined> = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.3.101.112', undefined],
]);

/** One block and nothing around it, so that whoever else reads the text can't have read another. */
const ONLY_BLOCK =
  /^\s*-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----\s*$/;
/** UTF-8, printable and ASCII strings: their bytes say the same to everybody. */
const STRINGS: ReadonlySet<number> = new Set([0x0c, 0x13, 0x16]);

/** A certificate request (PKCS #10), with the parts that go into the certificate as they are. */
export interface SigningRequest extends RequestedCertificate {
  /** DER of the subject and of the public key. */
  readonly subject: Buffer;
  readonly publicKey: Buffer;
  /** DER of each alternative name of a known kind. */
  readonly alternativeNames: readonly Buffer[];
  /** @throws Error unless whoever asks has the private key */
  checkSignature(): void;
}

/**
 * Reads a certificate request.
 * @throws Error for what is none
 */
export function readSigningRequest(pem: string): SigningRequest {
  const body = ONLY_BLOCK.exec(pem)?.[1];
  if (body === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const whole = Buffer.from(body, 'base64');
  const { tag, content: outer, end } = readElement(whole, 0);
  const [info, algorithm, signature] = readChildren(outer);
  const isRequest =
    tag === DER.sequence &&
    end === whole.length &&
    info?.tag === DER.sequence &&
    algorithm?.tag === DER.sequence &&
    signature?.tag === TAG.bits &&
    // Signatures are whole bytes: no bits of the last are left over.
    signature.content[0] === 0 &&
    algorithm.content[0] === TAG.oid;
  if (!isRequest) throw new Error('asn1: structure error: no certificate request');
  const signed = outer.subarray(0, info.end);
  const parts = elements(info.content);
  const [, subject, publicKey] = parts;
  const names = alternativeNames(parts.find(({ element }) => element.tag === TAG.attributes)?.element);
  const texts = (kind: string) =>
    names
      .filter((one) => NAMES.get(one.element.tag) === kind)
      .map(({ element }) => element.content.toString('latin1'));
  return {
    subject: subject!.raw,
    publicKey: publicKey!.raw,
    commonName: subjectTexts(subject!.element, COMMON_NAME).at(-1) ?? '',
    organizations: subjectTexts(subject!.element, ORGANIZATION),
    hosts: texts('hosts'),
    addresses: texts('addresses'),
    emails: texts('emails'),
    uris: texts('uris'),
    alternativeNames: names.filter(({ element }) => NAMES.has(element.tag)).map(({ raw }) => raw),
    checkSignature: () =>
      checkSignature(signed, publicKey!.raw, oidText(readChildren(algorithm.content)[0]!.content), signature),
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

interface Part {
  readonly element: DerElement;
  /** With its tag and length. */
  readonly raw: Buffer;
}

function elements(content: Buffer): Part[] {
  const found: Part[] = [];
  for (let position = 0; position < content.length; ) {
    const element = readElement(content, position);
    found.push({ element, raw: content.subarray(position, element.end) });
    position = element.end;
  }
  return found;
}

/** Values of one attribute of a distinguished name, in order. */
function subjectTexts({ content }: DerElement, wanted: string): string[] {
  return readChildren(content).flatMap((set) =>
    readChildren(set.content).flatMap((attribute) => {
      const [type, value] = readChildren(attribute.content);
      if (value !== undefined && !STRINGS.has(value.tag))
        throw new Error('asn1: structure error: text of an unsupported kind in the subject');
      return type?.tag === TAG.oid && value !== undefined && oidText(type.content) === wanted
        ? [value.content.toString('utf8')]
        : [];
    }),
  );
}

function alternativeNames(attributes: DerElement | undefined): Part[] {
  for (const attribute of attributes === undefined ? [] : readChildren(attributes.content)) {
    const [type, values] = readChildren(attribute.content);
    if (type === undefined || values === undefined || oidText(type.content) !== EXTENSION_REQUEST) continue;
    for (const extension of readChildren(readElement(values.content, 0).content)) {
      const inner = readChildren(extension.content);
      const value = inner.at(-1);
      if (
        inner[0] !== undefined &&
        value?.tag === TAG.octets &&
        oidText(inner[0].content) === ALTERNATIVE_NAMES
      )
        return elements(readElement(value.content, 0).content);
    }
  }
  return [];
}
