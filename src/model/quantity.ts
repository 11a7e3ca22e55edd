import { BinnacleError } from '../errors/binnacle-error.ts';
import { trimEnd } from './trim-end.ts';

/** The notation of a quantity, which determines how it is printed: `1Gi`, `1G` or `1e9`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/**
 * A decimal number: `unscaled` × 10^`scale`. `text` is set where the reference prints the input instead of
 * the canonical form.
 */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  readonly text?: string;
  /** The reference stores it as an arbitrary-precision decimal: it may not fit an int64. */
  readonly exact?: boolean;
}

/** The text is not a valid quantity; the message is the reference's. */
export class QuantityError extends BinnacleError {
  override name = 'QuantityError';
  readonly code = 'ERR_BINNACLE_QUANTITY';
}

/** Maximum characters of a quantity: far more than one of nanounits needs. */
const MAXIMUM_LENGTH = 128;
/** Maximum exponent of a quantity, and its negative. */
const MAXIMUM_EXPONENT = 0x7fffffff;

const shape = /^([+-]?)(0*)([1-9][0-9]*)?(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[+-]?|[+-])[0-9]*)?$/;
const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
/** Scales of the decimal suffixes. */
export const DECIMAL_SUFFIXES: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalNames = new Map([...DECIMAL_SUFFIXES].map(([name, exponent]) => [exponent, name]));
const binarySuffixes = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const binaryNames = ['', ...binarySuffixes.keys()];
const maximum = 2n ** 63n - 1n;

/**
 * Parses a quantity: sign, decimal digits, and a decimal, binary or exponent suffix. Amounts below one nano
 * are rounded up to it (away from zero); binary amounts are capped at 2^63-1. @throws QuantityError
 */
export function parseQuantity(text: string): Quantity {
  const match = text.length <= MAXIMUM_LENGTH ? shape.exec(text) : null;
  if (!match || text === '') throw new QuantityError(wrongFormat);
  const [, sign = '', zeros = '', digits = '', fraction = '', suffix = ''] = match as readonly (
    | string
    | undefined
  )[];
  const { format, exponent } = interpretSuffix(suffix);
  const whole = digits === '' ? '0' : digits;
  const negative = sign === '-';
  const binary = format === 'BinarySI';
  // The reference has a fast path for numbers that certainly fit an int64; only there it keeps the text of
  // numbers that look canonical.
  const room = binary
    ? fraction === ''
      ? 14 - whole.length - Math.trunc((exponent * 3) / 10)
      : -1
    : 18 - whole.length - fraction.length;
  const scale = (binary ? 0 : exponent) - fraction.length;
  if (room >= 0 && scale >= -9) {
    const shifted = whole + fraction;
    const amount = BigInt(shifted);
    const unscaled = binary ? amount << BigInt(exponent) : amount;
    const canonical = binary
      ? (amount & 7n) !== 0n
      : scale % 3 === 0 && !shifted.endsWith('000') && shifted[0] !== '0';
    return {
      unscaled: negative ? -unscaled : unscaled,
      scale,
      format,
      text: canonical || text === '0' ? text : undefined,
    };
  }
  if (zeros + digits + fraction === '') throw new QuantityError('unable to parse numeric part of quantity');
  return exactQuantity(BigInt(whole + fraction), scale, binary ? exponent : 0, format, negative);
}

function exactQuantity(
  amount: bigint,
  startScale: number,
  shift: number,
  startFormat: QuantityFormat,
  negative: boolean,
): Quantity {
  let unscaled = amount << BigInt(shift);
  let scale = startScale;
  let format = startFormat;
  if (scale < -9) {
    unscaled = divideUp(unscaled, -9 - scale);
    scale = -9;
  }
  if (format === 'BinarySI') {
    const one = 10n ** BigInt(-scale);
    if (unscaled > maximum * one) {
      unscaled = maximum;
      scale = 0;
    } else if (unscaled < one && unscaled > 0n) format = 'DecimalSI';
  }
  return { unscaled: negative ? -unscaled : unscaled, scale, format, exact: true };
}

function interpretSuffix(suffix: string): { format: QuantityFormat; exponent: number } {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { format: 'DecimalSI', exponent: decimal };
  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined) return { format: 'BinarySI', exponent: binary };
  const power = /^[eE]([+-]?[0-9]{1,10})$/.exec(suffix);
  if (power === null || Math.abs(Number(power[1])) > MAXIMUM_EXPONENT)
    throw new QuantityError("unable to parse quantity's suffix");
  return { format: 'DecimalExponent', exponent: Number(power[1]) };
}

/** Powers of ten with few digits are divided by without counting the digits of the amount. */
const MOST_DIGITS = 256;

/** `amount` ÷ 10^`places`, rounded away from zero. */
function divideUp(amount: bigint, places: number): bigint {
  if (amount === 0n) return 0n;
  if (places > MOST_DIGITS && places > amount.toString().length) return amount > 0n ? 1n : -1n;
  const divisor = 10n ** BigInt(places);
  const quotient = amount / divisor;
  if (quotient * divisor === amount) return quotient;
  return amount > 0n ? quotient + 1n : quotient - 1n;
}

/** The text of a quantity as the reference serializes it. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  const { unscaled, scale, format } = quantity;
  if (unscaled === 0n) return '0';
  if (format === 'BinarySI' && scale <= 0) {
    const divisor = 10n ** BigInt(-scale);
    const whole = unscaled / divisor;
    if (whole * divisor === unscaled && (whole >= 1024n || whole <= -1024n)) return formatBinary(whole);
  }
  return formatDecimal(unscaled.toString(), scale, format === 'BinarySI' ? 'DecimalSI' : format);
}

function formatBinary(whole: bigint): string {
  let amount = whole;
  let power = 0;
  while (power < 6 && amount % 1024n === 0n) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${binaryNames[power]}`;
}

function formatDecimal(digits: string, startScale: number, format: QuantityFormat): string {
  const zeros = digits.length - trimEnd(digits, '0').length;
  let scale = startScale + zeros;
  let mantissa = digits.slice(0, digits.length - zeros);
  const odd = ((scale % 3) + 3) % 3;
  mantissa += '0'.repeat(odd);
  scale -= odd;
  const suffix = format === 'DecimalSI' ? decimalNames.get(scale) : scale === 0 ? '' : undefined;
  return mantissa + (suffix ?? `e${scale}`);
}

/** Whole numbers, and short ones with an exponent: the canonical text follows from their digits. */
const wholeNumber = /^(?:([1-9][0-9]{0,127})|([1-9][0-9]{0,14})[eE]([+-]?[0-9]{1,10}))$/;

/** The canonical text of a quantity text. @throws QuantityError */
export function canonicalQuantity(text: string): string {
  const match = wholeNumber.exec(text) as readonly (string | undefined)[] | null;
  if (match !== null) {
    const [, whole, mantissa, power] = match;
    const digits = whole ?? mantissa!;
    const exponent = power === undefined ? 0 : Number(power);
    if (exponent >= -9 && exponent <= MAXIMUM_EXPONENT) {
      if (exponent % 3 === 0 && !digits.endsWith('000')) return text;
      return formatDecimal(digits, exponent, power === undefined ? 'DecimalSI' : 'DecimalExponent');
    }
  }
  const quantity = parseQuantity(text);
  return quantity.text ?? formatQuantity(quantity);
}

/** -1, 0 or 1 when `left` is less than, equal to or greater than `right`; the notation does not matter. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  const sign = quantitySign(left);
  if (sign !== quantitySign(right)) return sign < quantitySign(right) ? -1 : 1;
  if (sign === 0) return 0;
  const magnitudes = digitsBeforePoint(left) - digitsBeforePoint(right);
  if (magnitudes !== 0) return magnitudes > 0 ? sign : -sign;
  const [a, b] = aligned(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

const fitsInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** Sum in the format of `left` (of `right` where left is zero), as the reference adds. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  const [a, b, scale] = aligned(left, right);
  const unscaled = a + b;
  const exact = left.exact || right.exact || [a, b, unscaled].some((value) => !fitsInt64(value));
  return {
    unscaled,
    scale,
    format: left.unscaled === 0n ? right.format : left.format,
    ...(exact ? { exact } : {}),
  };
}

/** Difference `left` - `right`. */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return addQuantities(left, { ...right, unscaled: -right.unscaled, text: undefined });
}

/** -1, 0 or 1. */
export function quantitySign(quantity: Quantity): number {
  return quantity.unscaled === 0n ? 0 : quantity.unscaled < 0n ? -1 : 1;
}

/** Rounded away from zero to a multiple of 10^`scale`: -3 keeps milli units. */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  return { unscaled: divideUp(quantity.unscaled, scale - quantity.scale), scale, format: quantity.format };
}

/** The value in units of 10^`scale` (0: whole, -3: milli), rounded away from zero. */
export function scaledQuantity(quantity: Quantity, scale = 0): bigint {
  const rounded = roundUpQuantity(quantity, scale);
  return rounded.unscaled * 10n ** BigInt(Math.min(rounded.scale - scale, 1000));
}

/** Whether it has no fraction. */
export function isWholeQuantity(quantity: Quantity): boolean {
  return quantity.scale >= 0 || quantity.unscaled % 10n ** BigInt(-quantity.scale) === 0n;
}

const UNITS_PER_THOUSANDTH = 1000n;

/**
 * Whether the reference treats a whole amount as a fraction: it counts thousandths in 64 bits, and
 * arbitrary-precision amounts (`1Ei`) overflow.
 */
export function wrapsInThousandths(quantity: Quantity): boolean {
  return (
    quantity.exact === true && BigInt.asIntN(64, scaledQuantity(quantity, -3)) % UNITS_PER_THOUSANDTH !== 0n
  );
}

/** The nearest double. */
export function quantityToNumber(quantity: Quantity): number {
  return Number(`${quantity.unscaled}e${quantity.scale}`);
}

function digitsBeforePoint(quantity: Quantity): number {
  return quantity.unscaled.toString().length - (quantity.unscaled < 0n ? 1 : 0) + quantity.scale;
}

/**
 * Both amounts in the finer of the two scales. Exponents far beyond any real amount are clamped, to bound the
 * size of the numbers.
 */
function aligned(left: Quantity, right: Quantity): [bigint, bigint, number] {
  const scale = Math.min(left.scale, right.scale);
  const raise = (quantity: Quantity): bigint =>
    quantity.unscaled * 10n ** BigInt(Math.min(quantity.scale - scale, 10_000));
  return [raise(left), raise(right), scale];
}
