import { BinnacleError } from '../errors/binnacle-error.ts';
import { quoteBytes } from '../errors/quote.ts';
import { dateTimeParts, daysInMonth } from '../time/calendar.ts';

/** The text is not a valid time; the message is Go's. */
export class TimeError extends BinnacleError {
  override name = 'TimeError';
  readonly code = 'ERR_BINNACLE_TIME';
}

const secondsLayout = '2006-01-02T15:04:05Z07:00';
const microLayout = '2006-01-02T15:04:05.000000Z07:00';
const plainTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/;
const plainMicroTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.\d{6}Z$/;
const zeroTime = '0001-01-01T00:00:00';

/**
 * Normalizes a `Time`: UTC, whole seconds (a fraction is dropped). Returns null for Go's zero time, which is
 * serialized as null.
 * @throws TimeError
 */
export function normalizeTime(text: string): string | null {
  if (isPlain(plainTime.exec(text))) return text.startsWith(zeroTime) ? null : text;
  const { utc } = readTime(text, secondsLayout);
  return utc === zeroTime ? null : `${utc}Z`;
}

/**
 * Normalizes a `MicroTime`: UTC with exactly six digits, which the text must have too.
 * @throws TimeError
 */
export function normalizeMicroTime(text: string): string | null {
  if (isPlain(plainMicroTime.exec(text))) return text === `${zeroTime}.000000Z` ? null : text;
  const { utc, fraction } = readTime(text, microLayout);
  const micro = fraction.slice(0, 6).padEnd(6, '0');
  return utc === zeroTime && micro === '000000' ? null : `${utc}.${micro}Z`;
}

/** Formats a `Time`. @param now milliseconds since 1970 */
export function formatTime(now: number): string {
  const second = Math.floor(now / 1000);
  // Many writes share a second, and formatting a date is slow.
  if (second !== lastSecond) {
    lastTime = `${new Date(now).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastTime;
}
let lastSecond = Number.NaN;
let lastTime = '';

/** Formats a `MicroTime`. @param now milliseconds since 1970, with a fraction */
export function formatMicroTime(now: number): string {
  const micro = Math.floor((now - Math.floor(now)) * 1000);
  return `${new Date(Math.floor(now)).toISOString().slice(0, 23)}${String(micro).padStart(3, '0')}Z`;
}

/** Milliseconds since 1970 of a serialized time. */
export function timeToMilliseconds(text: string): number {
  return Date.parse(text);
}

function isPlain(match: RegExpExecArray | null): boolean {
  return match !== null && dateTimeParts(match) !== undefined;
}

/** Parses a time element by element, so that an error names the same element as Go's. */
function readTime(text: string, layout: string): { utc: string; fraction: string } {
  let rest = text;
  const cannot = (element: string): TimeError =>
    new TimeError(
      `parsing time ${quoted(text)} as ${quoted(layout)}: cannot parse ${quoted(rest)} as ${quoted(element)}`,
    );
  const outOfRange = (what: string): TimeError =>
    new TimeError(`parsing time ${quoted(text)}: ${what} out of range`);
  const number = (element: string, size: number, what: string, low: number, high: number): number => {
    const digits = rest.slice(0, size);
    if (digits.length < size || !/^\d+$/.test(digits)) throw cannot(element);
    const value = Number(digits);
    if (value < low || value > high) throw outOfRange(what);
    rest = rest.slice(size);
    return value;
  };
  const literal = (character: string): void => {
    if (rest[0] !== character) throw cannot(character);
    rest = rest.slice(1);
  };
  const year = number('2006', 4, 'year', 0, 9999);
  literal('-');
  const month = number('01', 2, 'month', 1, 12);
  literal('-');
  const day = number('02', 2, 'day', 0, 99);
  literal('T');
  const hour = number('15', 2, 'hour', 0, 23);
  literal(':');
  const minute = number('04', 2, 'minute', 0, 59);
  literal(':');
  const second = number('05', 2, 'second', 0, 59);
  const fractionForm = layout === microLayout ? /^[.,](\d{6})/ : /^[.,](\d+)/;
  const fraction = fractionForm.exec(rest);
  if (layout === microLayout && !fraction) throw cannot('.000000');
  if (fraction) rest = rest.slice(fraction[0].length);
  const offset = readOffset(rest, () => cannot('Z07:00'), outOfRange);
  rest = rest.slice(offset.size);
  if (rest !== '') throw new TimeError(`parsing time ${quoted(text)}: extra text: ${quoted(rest)}`);
  if (day < 1 || day > daysInMonth(year, month)) throw outOfRange('day');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset.minutes, second);
  const iso = date.toISOString();
  return { utc: iso.slice(0, iso.lastIndexOf('.')), fraction: fraction?.[1] ?? '' };
}

function readOffset(
  rest: string,
  cannot: () => TimeError,
  outOfRange: (what: string) => TimeError,
): { size: number; minutes: number } {
  if (rest.startsWith('Z')) return { size: 1, minutes: 0 };
  const zone = /^([+-])(\d\d):(\d\d)/.exec(rest);
  if (!zone) throw cannot();
  const hours = Number(zone[2]);
  const minutes = Number(zone[3]);
  if (hours > 24) throw outOfRange('time zone offset hour');
  if (minutes > 60) throw outOfRange('time zone offset minute');
  return { size: 6, minutes: (zone[1] === '-' ? -1 : 1) * (hours * 60 + minutes) };
}

const quoted = (text: string): string => quoteBytes(text.length > 200 ? text.slice(0, 200) : text);
