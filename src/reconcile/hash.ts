/** Characters that make no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a of the UTF-8 bytes of a text, in 32 bits. */
export function fnv1a(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}

/** FNV-1 of the UTF-8 bytes of a text, in 32 bits. */
export function fnv1(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash, FNV_PRIME) ^ byte;
  return hash >>> 0;
}

/** A hash as a part of names and a value of labels: its decimal digits, in the reference's alphabet. */
export const safeHash = (hash: number): string =>
  Array.from(String(hash), (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join('');
