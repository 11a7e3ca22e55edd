const RESERVED = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

/** Whether a word is reserved as the name of a variable or function; it can be a field name. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}
