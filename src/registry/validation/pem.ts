/** A block of a PEM document. */
export interface PemBlock {
  readonly label: string;
  readonly bytes: Buffer;
  /** Header lines were given, which certificates don't have. */
  readonly hasHeaders: boolean;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----/g;
const HEADERS = /^(?:[A-Za-z0-9-]+: ?.*\r?\n)+\r?\n/;

/** The blocks of a document; text around them is ignored, undecodable blocks too. */
export function readPem(text: string): PemBlock[] {
  return [...text.matchAll(BLOCK)].flatMap(([, label = '', body = '']) => {
    const headers = HEADERS.exec(body)?.[0] ?? '';
    const encoded = body.slice(headers.length).replace(/\s+/g, '');
    return /^[A-Za-z0-9+/]*={0,2}$/.test(encoded) ? [{ label, bytes: Buffer.from(encoded, 'base64'), hasHeaders: headers !== '' }] : [];
  });
}

const SEQUENCE = 0x30;

/** Whether the bytes are one DER sequence, neither cut off nor followed by anything. */
export function isDerSequence(bytes: Buffer): boolean {
  if (bytes.length < 2 || bytes[0] !== SEQUENCE) return false;
  const first = bytes[1]!;
  if (first < 0x80) return bytes.length === 2 + first;
  const size = first & 0x7f;
  return size >= 1 && size <= 4 && bytes.length >= 2 + size && bytes.length === 2 + size + bytes.readUIntBE(2, size);
}
