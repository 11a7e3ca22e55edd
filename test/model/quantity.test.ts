import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isWholeQuantity,
  parseQuantity,
  QuantityError,
  quantitySign,
  quantityToNumber,
  roundUpQuantity,
  scaledQuantity,
  subtractQuantities,
  wrapsInThousandths,
} from '../../src/model/quantity.ts';

describe('quantities', () => {
  it.each([
    ['1Gi', '1Gi'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1e3', '1e3'],
    ['1E3', '1E3'],
    ['1000', '1k'],
    ['1k', '1k'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['128974848', '128974848'],
    ['129e6', '129e6'],
    ['123Mi', '123Mi'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0', '0'],
    ['00', '0'],
    ['0.0', '0'],
    ['-', '0'],
    ['Gi', '0'],
    ['-1', '-1'],
    ['5.', '5.'],
    ['+1', '+1'],
    ['+1000', '1k'],
    ['1E', '1E'],
    ['1000E', '1e21'],
    ['1000e3', '1e6'],
    ['10e4', '100e3'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', '9223372036854775808'],
    ['1Ei', '1Ei'],
    ['10Ei', '9223372036854775807'],
    ['-10Ei', '-9223372036854775807'],
    ['0.1Ki', '102400m'],
    ['1.1Ki', '1126400m'],
    ['8Ki', '8Ki'],
    ['1Ki', '1Ki'],
    ['512', '512'],
    ['0.5Ki', '512'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['1e-20', '1e-9'],
    ['0.0000000001', '1n'],
    ['1.0000000001', '1000000001n'],
    ['-0.1n', '-1n'],
    ['1000000u', '1'],
    ['1e999999999', '1e999999999'],
  ])('%s is written as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ['', 'regular expression'],
    ['1 Gi', 'regular expression'],
    ['0x10', 'regular expression'],
    ['1.2.3', 'regular expression'],
    ['abc', 'regular expression'],
    ['1\n', 'regular expression'],
    ['1ki', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['1kM', "unable to parse quantity's suffix"],
    ['1e99999999999', "unable to parse quantity's suffix"],
    ['Pi', 'unable to parse numeric part of quantity'],
  ])('rejects %j', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
    expect(() => parseQuantity(text)).toThrow(message);
  });

  const amount = fc.tuple(
    fc.constantFrom('', '-', '+'),
    fc.nat(10_000_000),
    fc.option(fc.nat(99_999)),
    fc.constantFrom('', 'm', 'k', 'M', 'Ki', 'Mi', 'Gi', 'u', 'n', 'e3', 'E-2'),
  );
  const text = amount.map(
    ([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${suffix}`,
  );

  it('the canonical form keeps the value and is stable', () => {
    fc.assert(
      fc.property(text, (written) => {
        const quantity = parseQuantity(written);
        const canonical = formatQuantity({ ...quantity, text: undefined });
        expect(compareQuantities(quantity, parseQuantity(canonical))).toBe(0);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  it('order, sum and difference agree with rational arithmetic', () => {
    const nano = (written: string) => scaledQuantity(parseQuantity(written), -9);
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [a, b] = [parseQuantity(left), parseQuantity(right)];
        const difference = nano(left) - nano(right);
        expect(compareQuantities(a, b)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
        expect(scaledQuantity(subtractQuantities(a, b), -9)).toBe(difference);
        expect(scaledQuantity(addQuantities(a, b), -9)).toBe(nano(left) + nano(right));
        expect(quantitySign(a)).toBe(nano(left) < 0n ? -1 : nano(left) > 0n ? 1 : 0);
      }),
    );
  });

  it('rounds away from zero, detects whole numbers and returns the nearest double', () => {
    expect(formatQuantity(roundUpQuantity(parseQuantity('1.000000001'), -3))).toBe('1001m');
    expect(formatQuantity(roundUpQuantity(parseQuantity('-1.2'), 0))).toBe('-2');
    expect(scaledQuantity(parseQuantity('1500m'))).toBe(2n);
    expect([isWholeQuantity(parseQuantity('1.5Ki')), isWholeQuantity(parseQuantity('1.5'))]).toEqual([
      true,
      false,
    ]);
    expect([quantityToNumber(parseQuantity('1.5Gi')), quantityToNumber(parseQuantity('200m'))]).toEqual([
      1610612736, 0.2,
    ]);
  });

  it('compares amounts of any exponent without expanding them', () => {
    expect(compareQuantities(parseQuantity('1e2000000000'), parseQuantity('1'))).toBe(1);
    expect(compareQuantities(parseQuantity('-1e2000000000'), parseQuantity('1n'))).toBe(-1);
  });

  it('overflows thousandths of large amounts like the reference', () => {
    const wraps = (text: string) => wrapsInThousandths(parseQuantity(text));
    expect(['1Ei', '4000Pi'].map(wraps)).toEqual([true, true]);
    // 10Ei is capped at 2^63-1, whose thousandths wrap to -1000; 1E stays in the exact 64-bit form.
    expect(['1Gi', '10Ei', '1E', '9223372036854775807', '1e2000000000'].map(wraps)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('writes whole numbers of any length as their parsed form', () => {
    const digits = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 60n }), fc.nat(6));
    fc.assert(
      fc.property(digits, ([number, zeros]) => {
        const text = `${number}${'0'.repeat(zeros)}`;
        const quantity = parseQuantity(text);
        expect(canonicalQuantity(text)).toBe(quantity.text ?? formatQuantity(quantity));
      }),
    );
    expect(canonicalQuantity('1'.repeat(128))).toBe('1'.repeat(128));
    expect(() => canonicalQuantity('1'.repeat(129))).toThrow(QuantityError);
  });

  it('writes short numbers as their parsed form, also with an exponent', () => {
    const digits = fc.tuple(fc.nat(2_000), fc.nat(18)).map(([digit, zeros]) => digit + '0'.repeat(zeros));
    const power = fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(40)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(digits, fc.option(power, { nil: '' }), (number, exponent) => {
        const quantity = parseQuantity(number + exponent);
        expect(canonicalQuantity(number + exponent)).toBe(quantity.text ?? formatQuantity(quantity));
      }),
    );
  });

  it('writes short numbers without converting them', () => {
    const convert = vi.spyOn(globalThis, 'BigInt');
    try {
      expect(canonicalQuantity('39999e2147483646')).toBe('39999e2147483646');
      expect(canonicalQuantity('39999e2147483647')).toBe('399990e2147483646');
      expect(canonicalQuantity('1000')).toBe('1k');
      expect(convert).not.toHaveBeenCalled();
    } finally {
      convert.mockRestore();
    }
    expect(() => canonicalQuantity('1e2147483648')).toThrow(QuantityError);
  });
});
