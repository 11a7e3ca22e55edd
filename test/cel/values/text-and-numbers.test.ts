import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDouble, formatPlain, parseDouble } from '../../../src/cel/values/doubles.ts';
import { codePointCount, codePoints, compareText } from '../../../src/cel/values/text.ts';

describe('texts', () => {
  test('counts code points', () => {
    expect(codePointCount('日本語')).toBe(3);
    expect(codePointCount('😀a')).toBe(2);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => codePointCount(text) === codePoints(text).length),
    );
  });

  test('orders by code points, like the UTF-8 encoding', () => {
    expect(compareText('\uffff', '😀')).toBeLessThan(0);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        expect(Math.sign(compareText(left, right))).toBe(
          Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right))),
        );
      }),
    );
  });
});

describe('doubles', () => {
  test.each([
    [1e21, '1e+21'],
    [1e20, '1e+20'],
    [1e-7, '1e-07'],
    [0.0001, '0.0001'],
    [0.00001234, '1.234e-05'],
    [-0, '-0'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1234567890123456800, '1.2345678901234568e+18'],
    [999999, '999999'],
    [1000000, '1e+06'],
    [-123456789, '-1.23456789e+08'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('%d', (value, text) => {
    expect(formatDouble(value)).toBe(text);
  });

  test('parses what it formats', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(parseDouble(formatDouble(value))).toBe(value);
        if (Number.isFinite(value)) expect(Number(formatPlain(value))).toBe(value);
      }),
    );
  });

  test.each(['', 'x', '1_', '1__0', '0x10', '1e999', '1.5.2', ' 1'])('rejects %j', (text) => {
    expect(parseDouble(text)).toBeUndefined();
  });
});
