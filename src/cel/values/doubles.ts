/** The exponents of ten from which, and below which, a double is printed in exponent form. */
const EXPONENT_FROM = 6;
const EXPONENT_BELOW = -4;

/**
 * A double as printed by `string(double)`, like Go's verb `%g`: the shortest digits that round-trip, with an
 * exponent of at least two digits below 1e-4 and from 1e+06.
 */
export function formatDouble(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (value === 0 || (power >= EXPONENT_BELOW && power < EXPONENT_FROM)) return formatPlain(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** A double with the shortest digits that round-trip, without an exponent. */
export function formatPlain(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const sign = value < 0 ? '-' : '';
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return undefined;
}

const DECIMAL = /^[+-]?(?:[0-9_]+(?:\.[0-9_]*)?|\.[0-9_]+)(?:[eE][+-]?[0-9_]+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F_]*)(?:\.([0-9a-fA-F_]*))?[pP]([+-]?[0-9_]+)$/;
const SPECIAL = /^([+-]?)(?:(inf|infinity)|nan)$/i;

/**
 * Parses a double like Go: decimal and hexadecimal forms with underscores between digits, and `inf`,
 * `infinity` and `nan` in any case.
 * @returns undefined for other texts and for values out of range
 */
export function parseDouble(text: string): number | undefined {
  const special = SPECIAL.exec(text);
  if (special !== null) {
    if (special[2] === undefined) return special[1] === '' ? Number.NaN : undefined;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (text.includes('_') && !separatesDigits(text)) return undefined;
  const digits = text.replaceAll('_', '');
  const hexadecimal = HEXADECIMAL.exec(digits);
  const value =
    hexadecimal !== null ? readHexadecimal(hexadecimal) : DECIMAL.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Underscores must separate digits; one can follow a base prefix. */
function separatesDigits(text: string): boolean {
  const number = text.replace(/^[+-]/, '');
  const hexadecimal = /^0[xX]/.test(number);
  const isDigit = hexadecimal ? /[0-9a-fA-F]/ : /[0-9]/;
  let before = hexadecimal ? 'digit' : 'start';
  for (const character of hexadecimal ? number.slice(2) : number) {
    if (character === '_') {
      if (before !== 'digit') return false;
      before = 'underscore';
    } else if (isDigit.test(character)) before = 'digit';
    else {
      if (before === 'underscore') return false;
      before = 'other';
    }
  }
  return before !== 'underscore';
}

const PRECISION_BITS = 53;
const LEAST_EXPONENT = -1022;
const GREATEST_EXPONENT = 1023;
/** Beyond this exponent no mantissa of a valid length brings the value back into range. */
const EXPONENT_BOUND = 100_000_000;

/**
 * Rounds half to even, with reduced precision for subnormal numbers. Returns NaN without digits and infinity
 * beyond the range.
 */
function readHexadecimal([, sign, whole = '', fraction = '', exponentText]: RegExpExecArray): number {
  if (whole.length + fraction.length === 0) return Number.NaN;
  const mantissa = BigInt(`0x${whole}${fraction}`);
  const signed = (value: number): number => (sign === '-' ? -value : value);
  if (mantissa === 0n) return signed(0);
  const scale =
    Math.max(-EXPONENT_BOUND, Math.min(EXPONENT_BOUND, Number(exponentText))) - fraction.length * 4;
  const bits =
    mantissa.toString(16).length * 4 - (Math.clz32(Number.parseInt(mantissa.toString(16)[0]!, 16)) - 28);
  const exponent = bits - 1 + scale;
  if (exponent > GREATEST_EXPONENT) return Number.POSITIVE_INFINITY;
  const kept = PRECISION_BITS - Math.max(0, LEAST_EXPONENT - exponent);
  if (kept < 0) return signed(0);
  const dropped = Math.max(0, bits - kept);
  const half = dropped === 0 ? 0n : 1n << BigInt(dropped - 1);
  const rest = mantissa & ((1n << BigInt(dropped)) - 1n);
  let rounded = mantissa >> BigInt(dropped);
  if (dropped > 0 && (rest > half || (rest === half && rounded % 2n === 1n))) rounded += 1n;
  // Scaling in two steps keeps both factors in range and the product exact.
  const power = dropped + scale;
  const first = Math.trunc(power / 2);
  return signed(Number(rounded) * 2 ** first * 2 ** (power - first));
}
