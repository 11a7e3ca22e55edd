import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../../src/errors/configuration-error.ts';
import { formatDuration, parseDuration } from '../../src/options/duration.ts';
import { splitList } from '../../src/options/flags/forms.ts';

describe('durations', () => {
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
    expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
  });
  it.each(['', '-', '5', 's', '1.2.3s', '1s2', '3 s', '9999999h'])('rejects %j', (text) =>
    expect(() => parseDuration(text)).toThrow(/^time: /),
  );
  it.each([
    [0, '0s'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [3_600_000, '1h0m0s'],
    [250, '250ms'],
    [-5000, '-5s'],
    [30_000, '30s'],
  ])('writes %d as %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));
  it('parses formatted durations', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        (milliseconds) =>
          void expect(parseDuration(formatDuration(milliseconds))).toBeCloseTo(milliseconds, 3),
      ),
    );
  });
});

describe('lists', () => {
  it('keep quoted fields', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1 }),
        (fields) =>
          void expect(splitList(fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(','))).toEqual(
            fields,
          ),
      ),
    );
  });
  it('keep empty fields', () => expect(splitList('a,,b,')).toEqual(['a', '', 'b', '']));
  it('reject stray quotes', () => expect(() => splitList('a"b')).toThrow('bare'));
});

describe('aggregated messages', () => {
  it('are a single message, or distinct ones in brackets', () => {
    expect(aggregate(['a', 'a'])).toBe('a');
    expect(aggregate(['a', 'b', 'a'])).toBe('[a, b]');
  });
});
