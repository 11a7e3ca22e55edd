import { parseMilliseconds } from '../../time/duration.ts';

/** A wait that an annotation or a setting names: milliseconds after an event, or a time in milliseconds since 1970. */
export type Delay = { readonly after: number } | { readonly until: number };

/** The longest wait, in milliseconds: a hundred years. */
const LONGEST = 100 * 365 * 86_400_000;

/**
 * Parses a wait: `300ms`, `2s`, `1m30s`, milliseconds without a unit, or the RFC 3339 time at which it ends.
 * @returns undefined if the text is none of these, or is negative or above a hundred years
 */
export function parseDelay(text: string): Delay | undefined {
  if (/^\d{1,15}(\.\d{1,9})?$/.test(text)) return bounded(Number(text));
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && text.length < 64) {
    const until = Date.parse(text);
    return Number.isNaN(until) ? undefined : { until };
  }
  try {
    return bounded(parseMilliseconds(text));
  } catch {
    return undefined;
  }
}

const bounded = (after: number): Delay | undefined =>
  after >= 0 && after <= LONGEST ? { after } : undefined;

/** When a wait that began at `from` ends, in milliseconds since 1970. */
export const dueAt = (delay: Delay, from: number): number =>
  'after' in delay ? from + delay.after : delay.until;
