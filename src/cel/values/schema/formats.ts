import { quote } from '../../../errors/quote.ts';
import { shortened } from '../../../errors/shown.ts';
import { ErrorValue } from '../error-value.ts';
import { Bytes } from '../scalars.ts';
import { Duration, NANOS_PER_SECOND, parseDate, parseDuration, Timestamp, timestampParts } from '../time.ts';
import type { Value } from '../value.ts';

/** Whether values of a format have another type than string. */
export function hasFormat(format: string | undefined): boolean {
  return format === 'duration' || format === 'date' || format === 'date-time' || format === 'byte';
}

/** A text as a value of its format; formats other than these four are texts. */
export function formattedValue(text: string, format: string | undefined): Value {
  switch (format) {
    case 'duration':
      return (
        parseSchemaDuration(text) ??
        new ErrorValue(`Invalid duration ${text}: unable to parse ${JSON.stringify(text)} as duration`)
      );
    case 'date':
      return (
        parseDate(text) ??
        new ErrorValue(
          `Invalid date formatted string ${shortened(text)}: parsing time ${JSON.stringify(text)} as "2006-01-02": cannot parse`,
        )
      );
    case 'date-time':
      return schemaTime(text);
    case 'byte':
      return (
        parseBase64(text) ??
        new ErrorValue(
          `Invalid byte formatted string ${text}: illegal base64 data at input byte ${base64ErrorIndex(text)}`,
        )
      );
    default:
      return text;
  }
}

const WORDS: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nanos?|nanoseconds?)$/, 1n],
  [/^(?:us|µs|micros?|microseconds?)$/, 1000n],
  [/^(?:ms|millis?|milliseconds?)$/, 1_000_000n],
  [/^(?:s|secs?|seconds?)$/, NANOS_PER_SECOND],
  [/^(?:m|mins?|minutes?)$/, 60n * NANOS_PER_SECOND],
  [/^(?:h|hrs?|hours?)$/, 3600n * NANOS_PER_SECOND],
  [/^(?:d|days?)$/, 86_400n * NANOS_PER_SECOND],
  [/^(?:w|wks?|weeks?)$/, 604_800n * NANOS_PER_SECOND],
];
const MAX_NANOS = 2n ** 63n - 1n;

/** A duration (`1h30m`) or amounts with unit words (`2 days`). */
function parseSchemaDuration(text: string): Duration | undefined {
  const plain = parseDuration(text);
  if (plain !== undefined) return plain;
  let total = 0n;
  let found = false;
  for (const [, amount, word] of text.matchAll(/(\d{1,19})\s*([A-Za-zµ]+)/g)) {
    const unit = WORDS.find(([pattern]) => pattern.test(word!.toLowerCase()))?.[1];
    if (unit === undefined) continue;
    found = true;
    total += BigInt(amount!) * unit;
  }
  return found && total <= MAX_NANOS ? new Duration(total) : undefined;
}

/**
 * RFC 3339, or a date with a time and without a zone (UTC), of any year. Small letters, which the check of the
 * schema allows, are an error, as in kube-apiserver.
 */
function schemaTime(text: string): Timestamp | ErrorValue {
  const parts = timestampParts(text) ?? timestampParts(`${text}Z`);
  if (parts !== undefined) return new Timestamp(...parts);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?/.exec(text)?.[0];
  const problem =
    time === undefined
      ? ` as "2006-01-02T15:04:05": cannot parse ${quote(text.slice(DATE_LENGTH))} as "T"`
      : `: extra text: ${quote(text.slice(time.length))}`;
  return new ErrorValue(
    `Invalid date-time formatted string ${shortened(text)}: parsing time ${quote(text)}${problem}`,
  );
}

const DATE_LENGTH = '2006-01-02'.length;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function parseBase64(text: string): Bytes | undefined {
  const packed = text.replace(/[\r\n]/g, '');
  return packed.length % 4 === 0 && BASE64.test(packed)
    ? new Bytes(Buffer.from(packed, 'base64'))
    : undefined;
}

/** The index of the first base64 error. */
function base64ErrorIndex(text: string): number {
  const position = text.search(/[^A-Za-z0-9+/]/);
  return position < 0 ? text.length - (text.length % 4) : position;
}
