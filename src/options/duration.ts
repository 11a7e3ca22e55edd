import * as duration from '../model/duration.ts';

const NANOSECONDS = 1e6;

/**
 * Parses a Go duration such as `1h30m` to milliseconds, with fractions.
 * @throws Error with Go's text
 */
export function parseDuration(text: string): number {
  return Number(duration.parseDuration(text)) / NANOSECONDS;
}

/** Formats milliseconds like Go: `0s`, `1.5s`, `2m0s`. */
export function formatDuration(milliseconds: number): string {
  return duration.formatDuration(BigInt(Math.round(milliseconds * NANOSECONDS)));
}
