import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareElements, sortElements } from '../../src/apply/element-order.ts';
import { keyElement, type PathElement, valueElement } from '../../src/apply/path-element.ts';

const scalar = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', '"', '\\', '\n', '<', ' ', '!', '\u2028', 'é', ',', '}', ':'),
  }),
  fc.integer({ min: -120, max: 120 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const KEYS = ['a', 'aa', 'b"'];
const items = fc.record({ a: scalar, aa: scalar, 'b"': scalar }, { requiredKeys: [] });

const TYPES = ['number', 'string', 'boolean'];

/** The order of two values, from their definition. */
function expectedOrder(a: unknown, b: unknown): number {
  if (typeof a !== typeof b) return TYPES.indexOf(typeof a) - TYPES.indexOf(typeof b);
  return (a as string) < (b as string) ? -1 : a === b || (a === 0 && b === 0) ? 0 : 1;
}

/** The order of two lists of alternating keys and values. */
function expectedItemOrder(a: object, b: object): number {
  const contents = (item: object): unknown[] =>
    KEYS.filter((key) => Object.hasOwn(item, key)).flatMap((key) => [key, (item as never)[key]]);
  const [ours, theirs] = [contents(a), contents(b)];
  for (let index = 0; index < Math.min(ours.length, theirs.length); index += 1) {
    const order = expectedOrder(ours[index], theirs[index]);
    if (order !== 0) return order;
  }
  return ours.length - theirs.length;
}

const element = (item: object): PathElement => keyElement(item, KEYS, new Map());

describe('the order of elements', () => {
  it('is that of their values', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        // Equal numbers with a different sign have different texts.
        fc.pre(a !== 0 || b !== 0);
        expect(Math.sign(compareElements(valueElement(a), valueElement(b)))).toBe(
          Math.sign(expectedOrder(a, b)),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('is that of their keys and values, and then of their number', () => {
    fc.assert(
      fc.property(items, items, (a, b) => {
        fc.pre(!KEYS.some((key) => (a as never)[key] === 0 && (b as never)[key] === 0));
        expect(Math.sign(compareElements(element(a), element(b)))).toBe(Math.sign(expectedItemOrder(a, b)));
      }),
      { numRuns: 4000 },
    );
  });

  it('is total', () => {
    const anything = fc.jsonValue({ maxDepth: 2 }).map(valueElement);
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 12 }), fc.func(fc.nat(3)), (all, shuffle) => {
        const sorted = sortElements(all);
        expect(sortElements([...all].sort((a, b) => shuffle(a, b) - 1))).toEqual(sorted);
        for (const [index, one] of sorted.entries())
          for (const later of sorted.slice(index)) {
            expect(compareElements(one, later)).toBeLessThanOrEqual(0);
            expect(compareElements(later, one)).toBeGreaterThanOrEqual(0);
          }
      }),
    );
  });

  it.each([
    [
      ['v:10', 'v:9', 'v:-8', 'v:-80', 'v:1e-7', 'v:1'],
      ['v:-80', 'v:-8', 'v:1e-7', 'v:1', 'v:9', 'v:10'],
    ],
    [
      ['v:true', 'v:"b"', 'v:false', 'v:1', 'v:null'],
      ['v:1', 'v:"b"', 'v:false', 'v:true', 'v:null'],
    ],
    [
      ['i:10', 'i:9', 'v:0', 'k:{}', 'f:z'],
      ['f:z', 'k:{}', 'v:0', 'i:9', 'i:10'],
    ],
    [
      ['k:{"a":8,"b":1}', 'k:{"a":8}', 'k:{}', 'k:{"a":-8}', 'k:{"a":-80}'],
      ['k:{}', 'k:{"a":-80}', 'k:{"a":-8}', 'k:{"a":8}', 'k:{"a":8,"b":1}'],
    ],
    [
      ['v:"a!"', 'v:"a"', 'v:"a\\n"', 'v:"a b"'],
      ['v:"a"', 'v:"a\\n"', 'v:"a b"', 'v:"a!"'],
    ],
  ])('of %j is %j', (given, sorted) => {
    expect(sortElements(given)).toEqual(sorted);
  });
});
