const RESERVED = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);

/** Whether a word may not be the name of a variable or function; it may be a field. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}
