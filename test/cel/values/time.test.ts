import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorValue } from '../../../src/cel/values/error-value.ts';
import {
  Duration,
  durationOf,
  formatDuration,
  formatTimestamp,
  parseDate,
  parseDuration,
  parseTimestamp,
  Timestamp,
  timestampAfter,
  timestampOf,
} from '../../../src/cel/values/time.ts';
import { wallTime } from '../../../src/cel/values/zone.ts';

describe('timestamps', () => {
  test.each([
    ['2024-02-29T12:30:45Z', '2024-02-29T12:30:45Z'],
    ['2024-02-29T12:30:45.120Z', '2024-02-29T12:30:45.12Z'],
    ['2024-02-29T00:30:00+02:00', '2024-02-29T00:30:00+02:00'],
    ['2024-02-29T00:30:00,5-02:30', '2024-02-29T00:30:00.5-02:30'],
    ['2024-02-29T00:30:00-00:00', '2024-02-29T00:30:00Z'],
    ['2024-02-29T4:30:00+24:60', '2024-02-29T04:30:00+25:00'],
    ['0000-12-31T23:30:00-01:00', '0000-12-31T23:30:00-01:00'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.5Z'],
  ])('%s', (text, canonical) => {
    expect(formatTimestamp(parseTimestamp(text) as Timestamp)).toBe(canonical);
  });

  test.each([
    '',
    '2024-02-30T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-01-01',
    '2024-01-01 00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:00:00',
  ])('rejects %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test('bounds timestamps to the years 1 to 9999', () => {
    expect(parseTimestamp('0001-01-01T00:00:00+01:00')).toMatchObject({ message: 'timestamp overflow' });
    expect(timestampOf(253_402_300_800, 0)).toBeInstanceOf(ErrorValue);
  });

  test('keeps the offset after a span of time', () => {
    const last = parseTimestamp('9999-12-31T23:30:00+02:00') as Timestamp;
    const hour = 3600n * 10n ** 9n;
    expect(formatTimestamp(timestampAfter(last, hour) as Timestamp)).toBe('10000-01-01T00:30:00+02:00');
    expect(timestampAfter(last, 3n * hour)).toMatchObject({ message: 'timestamp overflow' });
  });

  test('parses what it formats', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.integer({ min: -23 * 60, max: 23 * 60 }),
        (seconds, nanos, offset) => {
          const timestamp = new Timestamp(seconds, nanos, offset);
          fc.pre(/^\d{4}-/.test(formatTimestamp(timestamp)));
          expect(parseTimestamp(formatTimestamp(timestamp))).toEqual(timestamp);
        },
      ),
    );
  });

  test('parses dates', () => {
    expect(parseDate('2024-02-29')).toEqual(new Timestamp(1_709_164_800, 0));
    expect(parseDate('2023-02-29')).toBeUndefined();
    expect(parseDate('2024-2-9')).toBeUndefined();
  });
});

describe('durations', () => {
  test.each([
    ['1h30m', '5400s'],
    ['-1500ms', '-1.5s'],
    ['1.5h', '5400s'],
    ['.5s', '0.5s'],
    ['1µs', '0.000001s'],
    ['0', '0s'],
    ['1h0.25s3ns', '3600.250000003s'],
    ['-9223372036854775808ns', '-9223372036.854776s'],
  ])('%s', (text, seconds) => {
    expect(formatDuration(parseDuration(text)!)).toBe(seconds);
  });

  test.each(['', '1', 's', '.s', '1h 1m', '1d', '--1s', '9223372036854775808ns', '99999999999999999999999h'])(
    'rejects %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test('bounds durations to 64 bits', () => {
    expect(durationOf(2n ** 63n)).toMatchObject({ message: 'integer overflow' });
    expect(durationOf(-(2n ** 63n))).toEqual(new Duration(-(2n ** 63n)));
  });
});

describe('local times', () => {
  const leapDay = 1_709_209_845;

  test.each([
    ['', 12, 29],
    ['UTC', 12, 29],
    ['America/New_York', 7, 29],
    ['+05:30', 18, 29],
    ['-02:30', 10, 29],
    ['14:00', 2, 1],
  ])('in zone %j', (zone, hour, day) => {
    expect(wallTime(leapDay, zone)).toMatchObject({ hour, day, year: 2024 });
  });

  test('computes the day of the week and of the year', () => {
    expect(wallTime(leapDay, '')).toMatchObject({
      weekday: 4,
      dayOfYear: 59,
      month: 2,
      minute: 30,
      second: 45,
    });
    expect(wallTime(-62_135_596_800, '')).toMatchObject({ year: 1, dayOfYear: 0 });
  });

  test('rejects unknown time zones', () => {
    expect(wallTime(0, 'Nowhere/City')).toMatchObject({ message: 'unknown time zone Nowhere/City' });
    expect(wallTime(0, 'x:y')).toBeInstanceOf(ErrorValue);
  });
});
