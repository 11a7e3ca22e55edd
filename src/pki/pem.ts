/** A block of a PEM document. */
export interface PemBlock {
  readonly label: string;
  readonly bytes: Buffer;
  /** Header lines were given, which certificates don't have. */
  readonly hasHeaders: boolean;
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';
const HEADER = /^[A-Za-z0-9-]+: ?[^\r\n]*\r?\n/;

/**
 * The blocks of a document; text around them is ignored, blocks that cannot be read too. One pass, whatever
 * the text.
 */
export function readPem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, begin + BEGIN.length)) {
    const end = text.indexOf(END, begin);
    if (end < 0) break;
    // The last beginning before an end is the one that counts.
    begin = text.lastIndexOf(BEGIN, end);
    const block = readBlock(
      text.slice(begin + BEGIN.length, end),
      text.slice(end + END.length, end + END.length + LONGEST_LABEL),
    );
    if (block !== undefined) blocks.push(block);
    begin = end;
  }
  return blocks;
}

const LONGEST_LABEL = 80;

/**
 * @param inner from the label of the beginning to the line of the end;
 * @param rest from the label of the end on
 */
function readBlock(inner: string, rest: string): PemBlock | undefined {
  const labelEnd = inner.indexOf(DASHES);
  const label = inner.slice(0, Math.max(labelEnd, 0));
  if (labelEnd < 1 || labelEnd > LONGEST_LABEL || !rest.startsWith(label + DASHES)) return undefined;
  let body = inner.slice(labelEnd + DASHES.length).replace(/^\r?\n/, '');
  const hasHeaders = HEADER.test(body);
  if (hasHeaders) body = body.slice(body.search(/\n\r?\n/) + 1);
  const encoded = body.replace(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)
    ? { label, bytes: Buffer.from(encoded, 'base64'), hasHeaders }
    : undefined;
}

const SEQUENCE = 0x30;

/** Whether the bytes are one DER sequence, neither cut off nor followed by anything. */
export function isDerSequence(bytes: Buffer): boolean {
  if (bytes.length < 2 || bytes[0] !== SEQUENCE) return false;
  const first = bytes[1]!;
  if (first < 0x80) return bytes.length === 2 + first;
  const size = first & 0x7f;
  return (
    size >= 1 &&
    size <= 4 &&
    bytes.length >= 2 + size &&
    bytes.length === 2 + size + bytes.readUIntBE(2, size)
  );
}
