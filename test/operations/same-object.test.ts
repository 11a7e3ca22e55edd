import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writePlain } from '../../src/codec/json-plain.ts';
import { hasOtherValue } from '../../src/operations/same-object.ts';

describe('hasOtherValue', () => {
  it.each([
    [{ status: { observed: 1 } }, { status: { observed: 2 } }],
    [{ a: [1, 2] }, { a: [1] }],
    [{ a: Buffer.from('a') }, { a: Buffer.from('b') }],
    [
      { same: {}, list: [{ b: 'x' }] },
      { same: {}, list: [{ b: 'y' }] },
    ],
  ])('finds the value that differs in %j and %j', (object, old) => {
    expect(hasOtherValue(object, old)).toBe(true);
  });

  it.each([
    [{ a: undefined }, {}],
    [{ a: [] }, {}],
    [{ a: null }, { a: '' }],
    [{ a: Buffer.from('a') }, { a: Buffer.from('a') }],
  ])('finds nothing in %j and %j, which may be encoded alike', (object, old) => {
    expect(hasOtherValue(object, old)).toBe(false);
  });

  it('finds a value only in objects that are encoded differently', () => {
    const value = fc.object({
      values: [fc.nat(2), fc.constantFrom('a', 'b'), fc.boolean(), fc.constant(null)],
    });
    fc.assert(
      fc.property(value, value, (object, old) => {
        if (hasOtherValue(object, old)) expect(writePlain(object)).not.toBe(writePlain(old));
        expect(hasOtherValue(object, structuredClone(object))).toBe(false);
      }),
    );
  });

  it('looks at a bounded number of values', () => {
    const list = (last: number) => ({ list: [...Array.from({ length: 20_000 }, () => 0), last] });
    expect(hasOtherValue(list(1), list(2))).toBe(false);
  });

  it('reads a bounded number of members of a large map, and none after one that differs', () => {
    const reads = (first: string): number => {
      let count = 0;
      const map = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 'v']));
      const observed = new Proxy(
        { ...map, k0: first },
        {
          get: (target, name) => {
            count += 1;
            return Reflect.get(target, name) as unknown;
          },
        },
      );
      hasOtherValue({ data: observed }, { data: map });
      return count;
    };
    expect(reads('w')).toBe(1);
    expect(reads('v')).toBeLessThanOrEqual(8192);
  });
});
