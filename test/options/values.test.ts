import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../../src/errors/configuration-error.ts';
import {
  addressAt,
  addressFamily,
  isLoopback,
  isUnspecified,
  parseAddress,
  parseRange,
  rangeSize,
} from '../../src/options/addresses.ts';
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

describe('addresses', () => {
  it('enumerate ranges of both families', () => {
    expect(addressAt(parseRange('10.96.0.0/16')!, 1)).toBe('10.96.0.1');
    expect(addressAt(parseRange('10.96.255.255/16')!, 257)).toBe('10.96.1.1');
    expect(addressAt(parseRange('fd00:96::/108')!, 10)).toBe('fd00:96::a');
    expect(rangeSize(parseRange('10.0.0.0/24')!)).toBe(256);
    expect(rangeSize(parseRange('fd00::/8')!, 65_536)).toBe(65_536);
  });
  it('reject invalid ranges', () => {
    for (const text of [
      'nonsense',
      '10.0.0.0',
      '10.0.0.0/33',
      '10.0.0/8',
      'fd00::/129',
      '/8',
      '10.0.0.0/-1',
      '10.0.0.0/',
    ])
      expect(parseRange(text)).toBeUndefined();
  });
  it('are parsed to bytes', () => {
    expect(parseAddress('::ffff:1.2.3.4')).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4]);
    expect(parseAddress('::1')).toHaveLength(16);
  });
  it('agree with node:net, except for zones', () => {
    const group = fc.oneof(
      fc.constantFrom('', '0', 'ffff', '1', '12345', 'g', '1.2.3.4', '01.2.3.4', '256.1.1.1'),
      fc.ipV4(),
    );
    const nearly = fc.array(group, { maxLength: 9 }).map((groups) => groups.join(':'));
    const any = fc.oneof(
      nearly,
      fc.ipV6(),
      fc.ipV4(),
      fc.string(),
      fc.constantFrom(
        '::',
        '::1',
        '1::',
        ':::',
        '1::2::3',
        '1:2:3:4:5:6:7::',
        '1:2:3:4:5:6:7:8::',
        '::1.2.3.4',
        '1.2.3',
      ),
    );
    fc.assert(
      fc.property(
        any.filter((text) => !text.includes('%')),
        (text) => void expect([text, addressFamily(text)]).toEqual([text, isIP(text)]),
      ),
      { numRuns: 2000 },
    );
  });
  it('are classified', () => {
    expect([
      isLoopback('127.3.2.1'),
      isLoopback('::1'),
      isLoopback('10.0.0.1'),
      isLoopback('localhost'),
    ]).toEqual([true, true, false, false]);
    expect([isUnspecified('0.0.0.0'), isUnspecified('::'), isUnspecified('::1'), isUnspecified('')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('aggregated messages', () => {
  it('are a single message, or distinct ones in brackets', () => {
    expect(aggregate(['a', 'a'])).toBe('a');
    expect(aggregate(['a', 'b', 'a'])).toBe('[a, b]');
  });
});
