import { trimEnd } from './trim-end.ts';

/** The text is not a valid duration; the message is Go's. */
export class DurationError extends Error {
  override name = 'DurationError';
}

const units = new Map<string, bigint>([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const limit = 2n ** 63n;

/** Parses a Go duration such as `1h30m` or `-1.5s`. @returns nanoseconds @throws DurationError */
export function parseDuration(text: string): bigint {
  const invalid = (): DurationError => new DurationError(`time: invalid duration ${JSON.stringify(text)}`);
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  if (rest === '' || text.length > 200) throw invalid();
  let sum = 0n;
  while (rest !== '') {
    const amount = /^(\d*)(?:\.(\d*))?/.exec(rest)!;
    const whole = amount[1]!;
    const fraction = amount[2] ?? '';
    if (whole === '' && fraction === '') throw invalid();
    rest = rest.slice(amount[0].length);
    const name = /^[^.0-9]*/.exec(rest)![0];
    if (name === '') throw new DurationError(`time: missing unit in duration ${JSON.stringify(text)}`);
    const unit = units.get(name);
    if (unit === undefined)
      throw new DurationError(
        `time: unknown unit ${JSON.stringify(name)} in duration ${JSON.stringify(text)}`,
      );
    rest = rest.slice(name.length);
    sum +=
      BigInt(whole === '' ? '0' : whole) * unit +
      (fraction === '' ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length));
    if (sum > limit) throw invalid();
  }
  if (text.startsWith('-')) return -sum;
  if (sum === limit) throw invalid();
  return sum;
}

/** Formats a duration in nanoseconds like Go: `1h30m0s`, `1.5ms`, `0s`. */
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

function decimal(amount: bigint, unit: bigint): string {
  const fraction = amount % unit;
  if (fraction === 0n) return String(amount / unit);
  return `${amount / unit}.${trimEnd(fraction.toString().padStart(unit.toString().length - 1, '0'), '0')}`;
}
