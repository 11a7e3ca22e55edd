import { BinnacleError } from '../errors/binnacle-error.ts';
import { quoteBytes } from '../errors/quote.ts';

/** Durations in Go's syntax: `1h30m`, `-1.5s`, `0`. */

/** The text is not a valid duration; the message is Go's. */
export class DurationError extends BinnacleError {
  override name = 'DurationError';
  readonly code = 'ERR_BINNACLE_DURATION';
}

const UNITS = new Map<string, bigint>([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const LIMIT = 2n ** 63n;
const NANOSECONDS_PER_MILLISECOND = 1e6;
/** Significant digits of the limit; more are out of range. */
const MOST_DIGITS = 19;
/** Further digits of a fraction are below a nanosecond. */
const FRACTION_DIGITS = 18;

/** An amount and its unit; matches every text, also the empty one. */
const PART = /0*(\d*)(?:\.(\d*))?([^.\d]*)/y;

/** Longer texts are invalid; they would sum up very many parts. */
const MAXIMUM_LENGTH = 4096;

/** Parses a duration. @returns nanoseconds, of 64 bits @throws DurationError */
export function parseDuration(text: string): bigint {
  const invalid = (): DurationError => new DurationError(`time: invalid duration ${quoteBytes(text)}`);
  const start = text.startsWith('-') || text.startsWith('+') ? 1 : 0;
  if (text.length === start || text.length > MAXIMUM_LENGTH) throw invalid();
  if (text.length === start + 1 && text.endsWith('0')) return 0n;
  let sum = 0n;
  for (let position = start; position < text.length; position = PART.lastIndex) {
    PART.lastIndex = position;
    const [part, whole = '', fraction = '', name = ''] = PART.exec(text)!;
    const hasDigit = part[0] === '0' || whole !== '' || fraction !== '';
    if (!hasDigit) throw invalid();
    if (whole.length > MOST_DIGITS || BigInt(whole) > LIMIT) throw invalid();
    if (name === '') throw new DurationError(`time: missing unit in duration ${quoteBytes(text)}`);
    const unit = UNITS.get(name);
    if (unit === undefined) {
      const [quotedUnit, quoted] = [quoteBytes(name), quoteBytes(text)];
      throw new DurationError(`time: unknown unit ${quotedUnit} in duration ${quoted}`);
    }
    const digits = fraction.slice(0, FRACTION_DIGITS);
    sum += BigInt(whole) * unit + (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
    if (sum > LIMIT) throw invalid();
  }
  if (text.startsWith('-')) return -sum;
  if (sum === LIMIT) throw invalid();
  return sum;
}

/** Parses a duration. @returns milliseconds, with fractions @throws DurationError */
export const parseMilliseconds = (text: string): number =>
  Number(parseDuration(text)) / NANOSECONDS_PER_MILLISECOND;

/** Formats nanoseconds: `1h30m0s`, `1.5ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  for (const [name, unit, next] of [
    ['ns', 1n, 1_000n],
    ['µs', 1_000n, 1_000_000n],
    ['ms', 1_000_000n, 1_000_000_000n],
  ] as const) {
    if (amount < next) return `${sign}${decimal(amount, unit)}${name}`;
  }
  const second = 1_000_000_000n;
  const minutes = amount / (60n * second);
  let text = `${decimal(amount % (60n * second), second)}s`;
  if (minutes > 0n) text = `${minutes % 60n}m${text}`;
  if (minutes >= 60n) text = `${minutes / 60n}h${text}`;
  return sign + text;
}

/** Formats milliseconds in the same way. */
export const formatMilliseconds = (milliseconds: number): string =>
  formatDuration(BigInt(Math.round(milliseconds * NANOSECONDS_PER_MILLISECOND)));

/** Formats `amount / unit`, where the unit is a power of ten, without trailing zeros. */
function decimal(amount: bigint, unit: bigint): string {
  let [fraction, size] = [amount % unit, unit];
  if (fraction === 0n) return String(amount / unit);
  for (; fraction % 10n === 0n; fraction /= 10n) size /= 10n;
  return `${amount / unit}.${String(fraction).padStart(String(size).length - 1, '0')}`;
}
