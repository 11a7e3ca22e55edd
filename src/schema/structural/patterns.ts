import { RE2JS } from 're2js';
import { simplePattern } from './simple-pattern.ts';

/** Maximum length of all cached patterns together, in UTF-16 units, with an allowance for the programs. */
const MAXIMUM_CACHED_LENGTH = 1024 * 1024;
const ALLOWANCE = 512;

/** Matches texts in linear time. */
export type Matcher = (text: string) => boolean;

const known = new Map<string, Matcher>();
let knownLength = 0;

/**
 * Returns the matcher of a pattern with the syntax of RE2. It is compiled at its first use and shared by all
 * schemas; the cache evicts the oldest. A pattern that cannot be compiled matches nothing.
 */
export function patternMatcher(pattern: string): Matcher {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const matcher = compilePattern(pattern);
  known.set(pattern, matcher);
  knownLength += pattern.length + ALLOWANCE;
  for (const oldest of known.keys()) {
    if (knownLength <= MAXIMUM_CACHED_LENGTH) break;
    known.delete(oldest);
    knownLength -= oldest.length + ALLOWANCE;
  }
  return matcher;
}

function compilePattern(pattern: string): Matcher {
  const simple = simplePattern(pattern);
  if (simple !== undefined) return (text) => simple.test(text);
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.test(text);
  } catch {
    return () => false;
  }
}
