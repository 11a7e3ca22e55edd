import { DecodeError } from './decode-error.ts';

const regular = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Base64 text in its canonical form: line breaks dropped, unused bits cleared.
 * @throws DecodeError naming the byte at which Go's decoder stops
 */
export function canonicalBase64(text: string): string {
  if (regular.test(text)) return text.endsWith('=') ? Buffer.from(text, 'base64').toString('base64') : text;
  const joined = text.replace(/[\r\n]/g, '');
  if (!regular.test(joined)) throw new DecodeError(`illegal base64 data at input byte ${offendingByte(text)}`);
  return Buffer.from(joined, 'base64').toString('base64');
}

/** Walks the text in groups of four as Go does and tells where it gives up. */
function offendingByte(text: string): number {
  let inGroup = 0;
  let groupStart = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\r' || character === '\n') continue;
    if (inGroup === 0) groupStart = at;
    if (/[A-Za-z0-9+/]/.test(character)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    const rest = text.slice(at + 1).replace(/^[\r\n]+/, '');
    if (character !== '=' || inGroup < 2) return Buffer.byteLength(text.slice(0, at));
    if (inGroup === 3) return text.length - rest.length;
    if (rest === '') return text.length;
    return rest.startsWith('=') ? text.length - rest.slice(1).replace(/^[\r\n]+/, '').length : text.length - rest.length;
  }
  return groupStart;
}
