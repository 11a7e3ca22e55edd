import { DecodeError } from './decode-error.ts';

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Complete groups of four. Their length is checked separately: repeating a group of characters is several
 * times slower to match.
 */
const isRegular = (text: string): boolean => text.length % 4 === 0 && alphabet.test(text);

/**
 * Returns base64 text in canonical form: without line breaks, unused bits cleared.
 * @param prefix begins the error's text
 * @throws DecodeError naming the byte at which Go's decoder stops
 */
export function canonicalBase64(text: string, prefix = ''): string {
  if (isRegular(text)) return text.endsWith('=') ? Buffer.from(text, 'base64').toString('base64') : text;
  const joined = text.replace(/[\r\n]/g, '');
  if (!isRegular(joined))
    throw new DecodeError(`${prefix}illegal base64 data at input byte ${offendingByte(text)}`);
  return Buffer.from(joined, 'base64').toString('base64');
}

const scratch = Buffer.alloc(1024);
/** A UTF-16 unit takes at most three bytes in UTF-8. */
const fitsScratch = (text: string): boolean => text.length * 3 <= scratch.length;

/** Returns the base64 text of the UTF-8 bytes of a text. Short texts allocate no buffer. */
export function base64OfText(text: string): string {
  return fitsScratch(text)
    ? scratch.toString('base64', 0, scratch.write(text, 0, 'utf8'))
    : Buffer.from(text, 'utf8').toString('base64');
}

/** Returns the byte at which Go's decoder, which reads groups of four, fails. */
function offendingByte(text: string): number {
  let inGroup = 0;
  let groupStart = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isDigit(text.charCodeAt(at))) {
      if (inGroup === 0) groupStart = at;
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (character === '\r' || character === '\n') continue;
    if (inGroup === 0) groupStart = at;
    const rest = text.slice(at + 1).replace(/^[\r\n]+/, '');
    if (character !== '=' || inGroup < 2) return Buffer.byteLength(text.slice(0, at));
    if (inGroup === 3) return text.length - rest.length;
    if (rest === '') return text.length;
    return rest.startsWith('=')
      ? text.length - rest.slice(1).replace(/^[\r\n]+/, '').length
      : text.length - rest.length;
  }
  return groupStart;
}

/** Whether a character code is a base64 digit. */
const isDigit = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x2f && code <= 0x39) ||
  code === 0x2b;
