import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DurationError,
  formatDuration,
  formatMilliseconds,
  parseDuration,
  parseMilliseconds,
} from '../../src/time/duration.ts';

describe('durations', () => {
  it.each([
    ['1h30m', '1h30m0s'],
    ['90s', '1m30s'],
    ['1.5s', '1.5s'],
    ['-1.5h', '-1h30m0s'],
    ['0', '0s'],
    ['100ms', '100ms'],
    ['1us', '1µs'],
    ['1500µs', '1.5ms'],
    ['.5h', '30m0s'],
    ['1ns', '1ns'],
    ['+5m', '5m0s'],
    ['2562047h47m16.854775807s', '2562047h47m16.854775807s'],
    ['-9223372036854775808ns', '-2562047h47m16.854775808s'],
  ])('%s is %s', (text, canonical) => {
    expect(formatDuration(parseDuration(text))).toBe(canonical);
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['soon', 'time: invalid duration "soon"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1x', 'time: unknown unit "x" in duration "1x"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['.s', 'time: invalid duration ".s"'],
    ['1h'.repeat(3000), `time: invalid duration ${JSON.stringify('1h'.repeat(3000))}`],
  ])('%j is refused', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new DurationError(message));
  });

  it('round-trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(parseDuration(formatDuration(value))).toBe(value);
      }),
    );
  });

  it('takes any number of parts, leading zeros and digits of a fraction', () => {
    expect(parseDuration('1ms'.repeat(1000))).toBe(1_000_000_000n);
    expect(parseDuration(`${'0'.repeat(500)}1.${'5'.repeat(500)}s`)).toBe(1_555_555_555n);
    expect(() => parseDuration(`${'9'.repeat(100_000)}h`)).toThrow(DurationError);
  });
});

describe('durations in milliseconds', () => {
  it.each([
    ['0', 0],
    ['5s', 5000],
    ['1h2m3.5s', 3_723_500],
    ['-1.5h', -5_400_000],
    ['100us', 0.1],
    ['.5s', 500],
    ['+1m', 60_000],
    ['2µs', 0.002],
  ])('reads %s', (text, milliseconds) => {
    expect(parseMilliseconds(text)).toBeCloseTo(milliseconds, 9);
  });
  it.each(['', '-', '5', 's', '1.2.3s', '1s2', '3 s', '9999999h'])('rejects %j', (text) =>
    expect(() => parseMilliseconds(text)).toThrow(/^time: /),
  );
  it.each([
    [0, '0s'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [3_600_000, '1h0m0s'],
    [250, '250ms'],
    [-5000, '-5s'],
    [30_000, '30s'],
  ])('writes %d as %s', (milliseconds, text) => expect(formatMilliseconds(milliseconds)).toBe(text));
  it('parses formatted durations', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        (milliseconds) =>
          void expect(parseMilliseconds(formatMilliseconds(milliseconds))).toBeCloseTo(milliseconds, 3),
      ),
    );
  });
});
