import { trimEnd } from '../../model/trim-end.ts';
import { dateTimeParts } from '../../time/calendar.ts';
import { DurationError, parseDuration as parseNanoseconds } from '../../time/duration.ts';
import { formatPlain } from './doubles.ts';
import { type ErrorValue, INTEGER_OVERFLOW, TIMESTAMP_OVERFLOW } from './error-value.ts';
import { MAX_INT64, MIN_INT64 } from './integers.ts';

/** A point in time, from year 1 to year 9999. */
export class Timestamp {
  readonly kind = 'timestamp';
  /** Whole seconds since 1970, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
  /** Minutes east of UTC in which it is written. It changes the text only. */
  readonly offset: number;

  constructor(seconds: number, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }

  /** Nanoseconds since 1970. */
  get total(): bigint {
    return BigInt(this.seconds) * NANOS_PER_SECOND + BigInt(this.nanos);
  }
}

/** A span of time in nanoseconds, of 64 bits. */
export class Duration {
  readonly kind = 'duration';
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export const NANOS_PER_SECOND = 1_000_000_000n;
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** The timestamp of a count of seconds and nanoseconds, `timestamp overflow` outside the years 1 to 9999. */
export function timestampOf(seconds: number, nanos: number, offset = 0): Timestamp | ErrorValue {
  return seconds < FIRST_SECOND || seconds > LAST_SECOND
    ? TIMESTAMP_OVERFLOW
    : new Timestamp(seconds, nanos, offset);
}

/** The timestamp of nanoseconds since 1970. */
export function timestampOfNanos(total: bigint, offset = 0): Timestamp | ErrorValue {
  const nanos = ((total % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return timestampOf(Number((total - nanos) / NANOS_PER_SECOND), Number(nanos), offset);
}

/** A timestamp after a span of nanoseconds, written with the same offset. */
export function timestampAfter(timestamp: Timestamp, nanos: bigint): Timestamp | ErrorValue {
  return timestampOfNanos(timestamp.total + nanos, timestamp.offset);
}

/** The duration of a count of nanoseconds, `integer overflow` beyond 64 bits. */
export function durationOf(nanos: bigint): Duration | ErrorValue {
  return nanos < MIN_INT64 || nanos > MAX_INT64 ? INTEGER_OVERFLOW : new Duration(nanos);
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses RFC 3339; undefined for another format, an overflow error when its year in UTC is out of range. */
export function parseTimestamp(text: string): Timestamp | ErrorValue | undefined {
  const parts = timestampParts(text);
  return parts && timestampOf(...parts);
}

/**
 * Parses RFC 3339 as seconds, nanoseconds and minutes of the offset; undefined for another format. As in Go, an
 * hour may have one digit, and an offset 24 hours or 60 minutes.
 */
export function timestampParts(
  text: string,
): readonly [seconds: number, nanos: number, offset: number] | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const parts = dateTimeParts(match);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  let offset = 0;
  if (match[8] !== undefined) {
    const [hours, minutes] = [Number(match[9]), Number(match[10])];
    if (hours > 24 || minutes > 60) return undefined;
    offset = (hours * 60 + minutes) * (match[8] === '-' ? -1 : 1);
  }
  const nanos = Number((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return [secondsOf(year, month, day) + hour * 3600 + (minute - offset) * 60 + second, nanos, offset];
}

/** Parses a date (`2024-02-29`) as midnight in UTC. */
export function parseDate(text: string): Timestamp | undefined {
  const parsed = /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
  return parsed instanceof Timestamp ? parsed : undefined;
}

/**
 * Seconds since 1970 of a day's start in UTC. Years below 100 need the setter: Date.UTC maps them to 19xx.
 */
function secondsOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
}

/** A timestamp in RFC 3339 with its offset, with the fraction's trailing zeros dropped. */
export function formatTimestamp({ seconds, nanos, offset }: Timestamp): string {
  const fraction = nanos === 0 ? '' : `.${trimEnd(String(nanos).padStart(9, '0'), '0')}`;
  // Year 10000, which an offset can reach, has a sign and six digits there.
  const wallTime = new Date((seconds + offset * 60) * 1000).toISOString().replace(/^\+0/, '');
  return `${wallTime.slice(0, wallTime.lastIndexOf('.'))}${fraction}${offsetText(offset)}`;
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${offset < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** A duration in seconds: `5400.5s`. */
export function formatDuration({ nanos }: Duration): string {
  return `${formatPlain(Number(nanos / NANOS_PER_SECOND) + Number(nanos % NANOS_PER_SECOND) / 1e9)}s`;
}

/** Parses a duration (`1h30m`, `-1.5s`, `0`); undefined for another format or beyond 64 bits. */
export function parseDuration(text: string): Duration | undefined {
  try {
    return new Duration(parseNanoseconds(text));
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}
