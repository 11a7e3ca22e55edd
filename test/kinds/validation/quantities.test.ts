import { describe, expect, it } from 'vitest';
import { formatGoQuantity } from '../../../src/kinds/validation/go-value.ts';
import { int64Value, validateBasicQuantity } from '../../../src/kinds/validation/quantities.ts';
import { validateResourceAmount } from '../../../src/kinds/validation/resource-names.ts';

describe('quantities as 64-bit integers', () => {
  it.each([
    ['1', 0, 1n],
    ['1.5', 0, 2n],
    ['-1.5', 0, -2n],
    ['200m', -3, 200n],
    ['9223372036854775807', 0, 2n ** 63n - 1n],
    // An arbitrary-precision decimal wraps around.
    ['9223372036854775808', 0, -(2n ** 63n)],
    // Other amounts that do not fit are 0.
    ['100E', 0, 0n],
  ])('%s in units of 10^%i is %i', (text, scale, value) => expect(int64Value(text, scale)).toBe(value));

  it('rejects negative values, also those that wrap around', () => {
    expect(validateBasicQuantity('0', 'f')).toEqual([]);
    expect(validateBasicQuantity('-1', 'f')[0]?.body).toBe(
      'Invalid value: -1: must be a valid resource quantity',
    );
    expect(validateBasicQuantity('9223372036854775808', 'f')[0]?.body).toBe(
      'Invalid value: -9223372036854775808: must be a valid resource quantity',
    );
  });

  it('treats a count whose thousandths wrap around as a fraction', () => {
    expect(validateResourceAmount('pods', '9223372036854775', 'f')).toEqual([]);
    expect(validateResourceAmount('pods', '10000000000000000001', 'f')).toHaveLength(1);
    expect(formatGoQuantity('10000000000000000001')).toContain(
      'value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(0x',
    );
  });
});
