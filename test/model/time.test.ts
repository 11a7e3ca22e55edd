import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolvePercentage } from '../../src/model/int-or-string.ts';
import {
  formatMicroTime,
  formatTime,
  normalizeMicroTime,
  normalizeTime,
  TimeError,
  timeToMilliseconds,
} from '../../src/model/time.ts';

const seconds = 'as "2006-01-02T15:04:05Z07:00"';
const micros = 'as "2006-01-02T15:04:05.000000Z07:00"';

describe('times', () => {
  it.each([
    ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05Z'],
    ['2020-01-02T03:04:05.678Z', '2020-01-02T03:04:05Z'],
    ['2020-01-02T05:04:05+02:00', '2020-01-02T03:04:05Z'],
    ['2019-12-31T23:30:00.5-01:00', '2020-01-01T00:30:00Z'],
    ['0050-02-28T00:00:00Z', '0050-02-28T00:00:00Z'],
    ['2020-02-29T00:00:00Z', '2020-02-29T00:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T01:00:00+01:00', null],
  ])('%s is kept as %s', (text, kept) => {
    expect(normalizeTime(text)).toBe(kept);
  });

  it.each([
    ['yesterday', `parsing time "yesterday" ${seconds}: cannot parse "yesterday" as "2006"`],
    ['', `parsing time "" ${seconds}: cannot parse "" as "2006"`],
    ['2020-01-02', `parsing time "2020-01-02" ${seconds}: cannot parse "" as "T"`],
    ['2020-13-02T03:04:05Z', 'parsing time "2020-13-02T03:04:05Z": month out of range'],
    ['2021-02-29T03:04:05Z', 'parsing time "2021-02-29T03:04:05Z": day out of range'],
    ['2020-01-02T03:04:60Z', 'parsing time "2020-01-02T03:04:60Z": second out of range'],
    ['2020-01-02T24:04:00Z', 'parsing time "2020-01-02T24:04:00Z": hour out of range'],
    [
      '2020-01-02t03:04:05z',
      `parsing time "2020-01-02t03:04:05z" ${seconds}: cannot parse "t03:04:05z" as "T"`,
    ],
    [
      '10000-01-01T00:00:00Z',
      `parsing time "10000-01-01T00:00:00Z" ${seconds}: cannot parse "0-01-01T00:00:00Z" as "-"`,
    ],
    ['2020-01-02T03:04:05', `parsing time "2020-01-02T03:04:05" ${seconds}: cannot parse "" as "Z07:00"`],
    ['2020-01-02T03:04:05Zx', 'parsing time "2020-01-02T03:04:05Zx": extra text: "x"'],
  ])('%j is refused', (text, message) => {
    expect(() => normalizeTime(text)).toThrow(new TimeError(message));
  });

  it('MicroTime has exactly six digits', () => {
    expect(normalizeMicroTime('2020-01-02T03:04:05.678901Z')).toBe('2020-01-02T03:04:05.678901Z');
    expect(normalizeMicroTime('2020-01-02T05:04:05.678901+02:00')).toBe('2020-01-02T03:04:05.678901Z');
    expect(normalizeMicroTime('0001-01-01T00:00:00.000000Z')).toBeNull();
    const refusal = (text: string, rest: string, element: string) =>
      new TimeError(`parsing time "${text}" ${micros}: cannot parse "${rest}" as "${element}"`);
    expect(() => normalizeMicroTime('2020-01-02T03:04:05Z')).toThrow(
      refusal('2020-01-02T03:04:05Z', 'Z', '.000000'),
    );
    expect(() => normalizeMicroTime('2020-01-02T03:04:05.6Z')).toThrow(
      refusal('2020-01-02T03:04:05.6Z', '.6Z', '.000000'),
    );
    expect(() => normalizeMicroTime('2020-01-02T03:04:05.678901234Z')).toThrow(
      refusal('2020-01-02T03:04:05.678901234Z', '234Z', 'Z07:00'),
    );
  });

  it('formats the current time in normal form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (now) => {
        expect(normalizeTime(formatTime(now))).toBe(formatTime(now));
        expect(normalizeMicroTime(formatMicroTime(now + 0.25))).toBe(formatMicroTime(now + 0.25));
        expect(timeToMilliseconds(formatTime(now))).toBe(Math.floor(now / 1000) * 1000);
      }),
    );
    expect(formatMicroTime(1577934245678.25)).toBe('2020-01-02T03:04:05.678250Z');
  });
});

describe('resolvePercentage', () => {
  it('returns numbers unchanged and rounds percentages up or down', () => {
    expect([
      resolvePercentage(3, 10, true),
      resolvePercentage('25%', 10, true),
      resolvePercentage('25%', 10, false),
      resolvePercentage('x', 10, true),
    ]).toEqual([3, 3, 2, undefined]);
  });
});
