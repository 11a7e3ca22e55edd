import * as duration from '../model/duration.ts';

const NANOSECONDS = 1e6;

/**
 * Milliseconds (fractions allowed) of a Go duration such as `1h30m`.
 * @throws Error with Go's text when it is none
 */
export function parseDuration(text: string): number {
  return Number(duration.parseDuration(text)) / NANOSECONDS;
}

/** Go's text of a duration in milliseconds: `0s`, `1.5s`, `2m0s`. */
export function formatDuration(milliseconds: number): string {
  return duration.formatDuration(BigInt(Math.round(milliseconds * NANOSECONDS)));
}
