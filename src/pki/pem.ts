/** A block of a PEM document (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  readonly bytes: Buffer;
  /** The block itself, as it was written, with a line break at the end. */
  readonly text: string;
  /** The block has header lines; certificates have none. */
  readonly hasHeaders: boolean;
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';
const HEADER = /^[A-Za-z0-9-]+: ?[^\r\n]*\r?\n/;

/**
 * Splits a document into its blocks, in linear time. Text around blocks and malformed blocks are ignored.
 */
export function readPem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, begin + BEGIN.length)) {
    const end = text.indexOf(END, begin);
    if (end < 0) break;
    // A block starts at the last BEGIN line before its END line.
    begin = text.lastIndexOf(BEGIN, end);
    const block = readBlock(
      text.slice(begin + BEGIN.length, end),
      text.slice(end + END.length, end + END.length + MAXIMUM_LABEL_LENGTH),
    );
    if (block !== undefined) blocks.push(block);
    begin = end;
  }
  return blocks;
}

const MAXIMUM_LABEL_LENGTH = 80;

/**
 * @param inner text from the label of the BEGIN line up to the END line
 * @param rest text from the label of the END line on
 */
function readBlock(inner: string, rest: string): PemBlock | undefined {
  const labelEnd = inner.indexOf(DASHES);
  const label = inner.slice(0, Math.max(labelEnd, 0));
  if (labelEnd < 1 || labelEnd > MAXIMUM_LABEL_LENGTH || !rest.startsWith(label + DASHES)) return undefined;
  let body = inner.slice(labelEnd + DASHES.length).replace(/^\r?\n/, '');
  const hasHeaders = HEADER.test(body);
  if (hasHeaders) body = body.slice(body.search(/\n\r?\n/) + 1);
  const encoded = body.replace(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)
    ? {
        label,
        bytes: Buffer.from(encoded, 'base64'),
        text: `${BEGIN}${inner}${END}${label}${DASHES}\n`,
        hasHeaders,
      }
    : undefined;
}

/** One PEM block, in lines of 64 characters. */
export function writePem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `${BEGIN}${label}${DASHES}\n${lines}\n${END}${label}${DASHES}\n`;
}
