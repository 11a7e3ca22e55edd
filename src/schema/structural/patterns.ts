import { RE2JS } from 're2js';

const MAXIMUM_PATTERNS = 1000;
const known = new Map<string, RE2JS | null>();

/**
 * Returns whether a text matches a pattern, in time linear in the text. A pattern that cannot be compiled
 * matches nothing. The cache of compiled patterns evicts the least recently compiled one.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let compiled = known.get(pattern);
  if (compiled === undefined) {
    compiled = compilePattern(pattern);
    if (known.size >= MAXIMUM_PATTERNS) known.delete(known.keys().next().value!);
    known.set(pattern, compiled);
  }
  return compiled?.matcher(text).find() ?? false;
}

function compilePattern(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}
