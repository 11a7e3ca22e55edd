import { expect, it } from 'vitest';
import { isSame, nonZero } from '../../src/reconcile/equality.ts';

it.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: [] }, true],
  [{ a: null }, {}, true],
  [{ a: {} }, {}, false],
  [{ a: [{ b: [] }] }, { a: [{}] }, true],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [{ a: [1] }, { a: { 0: 1 } }, false],
  ['1', 1, false],
  [{ a: 0 }, {}, false],
  [JSON.parse('{"__proto__":{"a":1}}'), {}, false],
  [JSON.parse('{"constructor":1}'), {}, false],
])('%j and %j', (one, other, same) => {
  expect(isSame(one, other)).toBe(same);
  expect(isSame(other, one)).toBe(same);
});

it('leaves out zeros', () => expect(nonZero({ a: 0, b: 2 })).toEqual({ b: 2 }));
