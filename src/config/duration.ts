/** Durations in Go's notation (`1h30m`, `250ms`), held as milliseconds (fractions allowed). */

const UNIT_MILLISECONDS = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
/** Go holds durations as 64-bit nanoseconds. */
const LARGEST_MILLISECONDS = 2 ** 63 / 1e6;

/**
 * Milliseconds of a Go duration.
 * @throws Error with Go's text when it is none
 */
export function parseDuration(text: string): number {
  const invalid = () => new Error(`time: invalid duration ${JSON.stringify(text)}`);
  const signed = text.startsWith('-') || text.startsWith('+');
  const body = signed ? text.slice(1) : text;
  if (body === '0') return 0;
  if (body === '') throw invalid();
  if (/^\d+$/.test(body)) throw new Error(`time: missing unit in duration ${JSON.stringify(text)}`);
  let total = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < body.length) {
    const part = PART.exec(body);
    if (part === null) throw invalid();
    total += Number(part[1]) * UNIT_MILLISECONDS.get(part[2]!)!;
  }
  if (total >= LARGEST_MILLISECONDS) throw invalid();
  return text.startsWith('-') ? -total : total;
}

/** Go's text of a duration: `0s`, `1.5s`, `2m0s`, `1h0m0s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  if (milliseconds < 0) return `-${formatDuration(-milliseconds)}`;
  if (milliseconds < 1e-3) return `${milliseconds * 1e6}ns`;
  if (milliseconds < 1) return `${milliseconds * 1e3}µs`;
  if (milliseconds < 1000) return `${milliseconds}ms`;
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const seconds = Number(((milliseconds % 60_000) / 1000).toFixed(9));
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`;
}
