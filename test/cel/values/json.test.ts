import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonConversionError, jsonOfValue, valueOfJson } from '../../../src/cel/values/json.ts';
import { ArrayList, type ListValue } from '../../../src/cel/values/list.ts';
import { EntriesMap } from '../../../src/cel/values/map.ts';
import { OptionalValue } from '../../../src/cel/values/optional.ts';
import { Bytes, Double, Uint } from '../../../src/cel/values/scalars.ts';
import { Duration, Timestamp } from '../../../src/cel/values/time.ts';
import { TypeValue } from '../../../src/cel/values/type-value.ts';

describe('JSON conversion', () => {
  test('JSON round-trips', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const plain: unknown = JSON.parse(JSON.stringify(json));
        expect(jsonOfValue(valueOfJson(plain))).toEqual(plain);
      }),
    );
  });

  test('converts whole numbers of any size to ints and others to doubles', () => {
    expect(valueOfJson(5)).toBe(5);
    expect(valueOfJson(2n ** 60n)).toBe(2n ** 60n);
    expect(valueOfJson(2n ** 64n)).toEqual(new Double(2 ** 64));
    expect(valueOfJson(1.5)).toEqual(new Double(1.5));
    expect(valueOfJson(1e300)).toEqual(new Double(1e300));
  });

  test('converts other values to their text', () => {
    const list = new ArrayList([
      new Uint(7n),
      new Bytes(Buffer.from('hi')),
      new Timestamp(0, 0),
      new Duration(1_500_000_000n),
      OptionalValue.none,
    ]);
    expect(jsonOfValue(list)).toEqual([7, 'aGk=', '1970-01-01T00:00:00Z', '1.5s', null]);
    const own = jsonOfValue(EntriesMap.of([['__proto__', 1]])!) as object;
    expect(Object.hasOwn(own, '__proto__')).toBe(true);
  });

  test('rejects values without a JSON form', () => {
    expect(() => jsonOfValue(new TypeValue('int'))).toThrow(JsonConversionError);
    expect(() => jsonOfValue(EntriesMap.of([[1, 2]])!)).toThrow(JsonConversionError);
    let shared: ListValue = new ArrayList([1]);
    for (let depth = 0; depth < 40; depth++) shared = new ArrayList([shared, shared]);
    expect(() => jsonOfValue(shared)).toThrow('too many members');
  });
});
