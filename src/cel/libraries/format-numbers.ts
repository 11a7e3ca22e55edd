/**
 * A double with a fixed number of decimals, rounded half to even; `grouped` adds commas between thousands.
 * Infinities are `∞`. The reference stores the minimum number of decimals in one byte, so trailing zeros
 * beyond it are dropped.
 */
export function formatFixed(value: number, decimals: number, grouped = true): string {
  if (!Number.isFinite(value)) return special(value);
  const digits = withoutZeros(exactDecimals(Math.abs(value), decimals), decimals, decimals & 0xff);
  const [whole, fraction] = digits.split('.') as [string, string | undefined];
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const thousands = grouped ? groupThousands(whole) : whole;
  return `${sign}${thousands}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Drops trailing zeros while more than `least` decimals are left, and a trailing point. */
function withoutZeros(digits: string, decimals: number, least: number): string {
  let end = digits.length;
  for (let left = decimals; left > least && digits[end - 1] === '0'; left--) end--;
  return digits[end - 1] === '.' ? digits.slice(0, end - 1) : digits.slice(0, end);
}

function groupThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(end - 3, 0), end));
  return groups.join(',');
}

const MANTISSA_BITS = 52;
const EXPONENT_BIAS = 1075;
const view = new DataView(new ArrayBuffer(8));

/** A positive double with a number of decimals, computed from its exact value. */
function exactDecimals(value: number, decimals: number): string {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const stored = Number(bits >> BigInt(MANTISSA_BITS));
  const fraction = bits & ((1n << BigInt(MANTISSA_BITS)) - 1n);
  const mantissa = stored === 0 ? fraction : fraction | (1n << BigInt(MANTISSA_BITS));
  const exponent = Math.max(stored, 1) - EXPONENT_BIAS;
  const scaled = mantissa * 10n ** BigInt(decimals);
  const digits = String(
    exponent >= 0 ? scaled << BigInt(exponent) : roundedShift(scaled, -exponent),
  ).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Divides by a power of two, rounding half to even. @param bits at least 1 */
function roundedShift(value: bigint, bits: number): bigint {
  const quotient = value >> BigInt(bits);
  const rest = value & ((1n << BigInt(bits)) - 1n);
  const half = 1n << BigInt(bits - 1);
  return rest > half || (rest === half && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Separates the digits, the multiplication sign and the power. */
const NARROW_SPACE = '\u202f';

/**
 * A double in scientific notation, always with six decimals: `1.234500 × 10⁰³`. The requested precision is a
 * minimum width.
 */
export function formatScientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return special(value).padStart(width);
  const [digits, exponent] = value.toExponential(6).split('e') as [string, string];
  const power = Array.from(
    String(Math.abs(Number(exponent))).padStart(2, '0'),
    (digit) => SUPERSCRIPTS[Number(digit)],
  ).join('');
  return `${digits}${NARROW_SPACE}×${NARROW_SPACE}10${exponent.startsWith('-') ? '⁻' : ''}${power}`.padStart(
    width,
  );
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}
