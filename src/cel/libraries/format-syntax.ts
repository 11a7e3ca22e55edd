/** One clause of a format string, after its percent sign. */
export interface FormatClause {
  readonly verb: string;
  /** Undefined when absent. */
  readonly precision: number | undefined;
  /** Index after the clause. */
  readonly end: number;
}

const VERBS = 'sdfebxXo';
const LARGEST_INTEGER = 2n ** 63n - 1n;
/** Digits of the largest integer; a longer precision is out of range. */
const LARGEST_DIGITS = 19;

/**
 * Parses precision and verb of a clause.
 * @param start index after the percent sign, before the end of the text
 * @returns the clause, or the error
 */
export function readFormatClause(text: string, start: number): FormatClause | string {
  const found = text[start] === '.' ? readPrecision(text, start + 1) : { precision: undefined, end: start };
  if (typeof found === 'string') return found;
  const { precision, end } = found;
  const verb = text[end]!;
  return VERBS.includes(verb)
    ? { verb, precision, end: end + 1 }
    : `unrecognized formatting clause ${verbForMessage(text, end)}`;
}

function readPrecision(
  text: string,
  start: number,
): { readonly precision: number; readonly end: number } | string {
  let end = start;
  while (end < text.length && text[end]! >= '0' && text[end]! <= '9') end++;
  if (end >= text.length) return 'error while parsing precision: could not find end of precision specifier';
  const digits = text.slice(start, end);
  let significant = start;
  while (significant < end - 1 && text[significant] === '0') significant++;
  const isLarge =
    end - significant > LARGEST_DIGITS ||
    (digits !== '' && BigInt(text.slice(significant, end)) > LARGEST_INTEGER);
  const failure = digits === '' ? 'invalid syntax' : isLarge ? 'value out of range' : undefined;
  if (failure === undefined) return { precision: Number(digits), end };
  return `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${failure}`;
}

/**
 * The first byte at the position of the verb, as a character. A percent sign acts as the verb of the
 * reference's own error formatting.
 */
function verbForMessage(text: string, position: number): string {
  const character = String.fromCodePoint(text.codePointAt(position)!);
  return character === '%' ? '"%!"(MISSING)' : JSON.stringify(Buffer.from(character).toString('latin1')[0]);
}
