/**
 * Strips repeats of one character from the end of a text. `/x+$/` would take quadratic time on texts with
 * many of them elsewhere.
 */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
