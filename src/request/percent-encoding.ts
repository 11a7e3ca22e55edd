const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

const hexDigit = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** Whether a text is printable ASCII without escapes, so that decoding does not change it. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === PERCENT || code > 0x7e) return false;
  }
  return true;
}

/**
 * Decodes the percent-encoding of a request target with one character per received byte. Each byte of invalid
 * UTF-8 becomes U+FFFD, as in responses of kube-apiserver.
 * @param plusIsSpace as in queries
 * @returns undefined for an escape without two hexadecimal digits
 */
export function decodePercent(text: string, plusIsSpace: boolean): string | undefined {
  const spaced = plusIsSpace && text.includes('+');
  if (isPlain(text)) return spaced ? text.replaceAll('+', ' ') : text;
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === PERCENT) {
      const high = hexDigit(text.charCodeAt(index + 1));
      const low = hexDigit(text.charCodeAt(index + 2));
      if (!(high >= 0 && low >= 0)) return undefined;
      bytes[length++] = high * 16 + low;
      index += 2;
    } else bytes[length++] = plusIsSpace && code === PLUS ? SPACE : code;
  }
  return decodeBytes(bytes.subarray(0, length));
}

/** Converts a target to the form of HTTP: one character per byte of its UTF-8. */
export const asReceived = (target: string): string =>
  isPlain(target) ? target : Buffer.from(target, 'utf8').toString('latin1');

const REPLACEMENT = '\ufffd';

function decodeBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes(REPLACEMENT)) return text;
  let result = '';
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceLength(bytes, index);
    result += length === 0 ? REPLACEMENT : bytes.toString('utf8', index, index + length);
    index += length || 1;
  }
  return result;
}

/** Length of the UTF-8 sequence at a position; 0 if it is invalid. */
function sequenceLength(bytes: Buffer, start: number): number {
  const first = bytes[start]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || start + length > bytes.length) return 0;
  for (let offset = 1; offset < length; offset++) if ((bytes[start + offset]! & 0xc0) !== 0x80) return 0;
  const second = bytes[start + 1]!;
  const tooLong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const outside = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return tooLong || outside ? 0 : length;
}
