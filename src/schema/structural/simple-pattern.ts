/** One character that means itself in both syntaxes. */
const LITERAL = /^[A-Za-z0-9 _\-/:@%,=#~!;<>"'&]/;
const ESCAPED_LITERAL = /^\\[.\-/+*?()[\]{}|^$]/;
/** A class of ASCII characters and ranges, without escapes other than of punctuation, and not negated. */
const CLASS = /^\[(?!\^|:)(?:[A-Za-z0-9](?:-[A-Za-z0-9])?|[_./:@%,=+ ]|\\[.\-/+]|-(?=\]))+\]/;
const LEADING_DASH_CLASS = /^\[-(?:[A-Za-z0-9](?:-[A-Za-z0-9])?|[_./:@%,=+ ])+\]/;
const DIGITS = /^\\d/;
const ATOMS = [LITERAL, ESCAPED_LITERAL, CLASS, LEADING_DASH_CLASS, DIGITS];
const QUANTIFIER = /^(?:[?*+]|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})/;

/** Maximum number of characters that the parts of a fixed length match. RE2 allows counts up to 1,000. */
const MAXIMUM_FIXED_LENGTH = 256;
const MAXIMUM_COUNT = 1000;

/**
 * Returns a native RegExp for a pattern for which it is proven to match the same texts as RE2, in linear time:
 * `^` and `$` around single ASCII characters and classes of them, of which at most one has a varying number of
 * repetitions. With the start fixed, only the length of that one can vary, and what follows has a small fixed
 * length. Other patterns: undefined.
 */
export function simplePattern(pattern: string): RegExp | undefined {
  if (!pattern.startsWith('^') || !pattern.endsWith('$') || pattern.length > 1024) return undefined;
  let rest = pattern.slice(1, -1);
  // An escaped dollar sign is no anchor.
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(rest)) return undefined;
  let varying = 0;
  let fixed = 0;
  while (rest !== '') {
    const atom = matchAtom(rest);
    if (atom === undefined || !isOrdered(atom)) return undefined;
    rest = rest.slice(atom.length);
    const quantifier = QUANTIFIER.exec(rest);
    const [text = '', minimum, comma, maximum] = quantifier ?? [];
    rest = rest.slice(text.length);
    // A second quantifier, also a lazy or possessive one.
    if (QUANTIFIER.test(rest) && text !== '') return undefined;
    if (Number(minimum ?? 0) > MAXIMUM_COUNT || Number(maximum ?? 0) > MAXIMUM_COUNT) return undefined;
    if (text === '' || (minimum !== undefined && comma === undefined)) fixed += Number(minimum ?? 1);
    else varying += 1;
    if (maximum !== undefined && Number(maximum) < Number(minimum)) return undefined;
  }
  return varying <= 1 && fixed <= MAXIMUM_FIXED_LENGTH ? new RegExp(pattern) : undefined;
}

function matchAtom(rest: string): string | undefined {
  for (const atom of ATOMS) {
    const found = atom.exec(rest);
    if (found !== null) return found[0];
  }
  return undefined;
}

/** Returns whether all ranges of a class are in ascending order; others are errors. */
function isOrdered(atom: string): boolean {
  if (!atom.startsWith('[')) return true;
  for (const [, from, to] of atom.matchAll(/([A-Za-z0-9])-([A-Za-z0-9])/g)) if (from! > to!) return false;
  return true;
}
