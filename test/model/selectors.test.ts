import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldSelectorOf, parseFieldSelector } from '../../src/model/field-selector.ts';
import {
  MAXIMUM_SELECTOR_LENGTH,
  parseLabelSelector,
  SelectorSyntaxError,
  selectorOf,
} from '../../src/model/label-selector.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__');
const value = fc.constantFrom('1', '2', 'x');
const labelRequirement = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom('in' as const, 'notin' as const),
    values: fc.array(value, { minLength: 1 }),
  }),
  fc.record({ key, operator: fc.constantFrom('exists' as const, '!' as const), values: fc.constant([]) }),
  fc.record({
    key,
    operator: fc.constantFrom('gt' as const, 'lt' as const),
    values: fc.tuple(fc.constantFrom('1', '2')),
  }),
);
const fieldRequirement = fc.record({
  field: key,
  operator: fc.constantFrom('=' as const, '==' as const, '!=' as const),
  value,
});

/** An object whose members are read one by one, and their number. */
function counted(labels: Record<string, string>): { labels: Record<string, string>; reads: () => number } {
  let reads = 0;
  const handler: ProxyHandler<Record<string, string>> = {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name) as unknown;
    },
    getOwnPropertyDescriptor: (target, name) => {
      reads += 1;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  };
  return { labels: new Proxy(labels, handler), reads: () => reads };
}

describe('selectors with many requirements', () => {
  it('match the labels that each requirement matches', () => {
    fc.assert(
      fc.property(
        fc.array(labelRequirement, { minLength: 9, maxLength: 14 }),
        fc.option(fc.dictionary(key, value), { nil: undefined }),
        (requirements, labels) => {
          const expected = requirements.every((requirement) => selectorOf([requirement]).matches(labels));
          expect(selectorOf(requirements).matches(labels)).toBe(expected);
        },
      ),
    );
  });

  it('match the fields that each requirement matches', () => {
    fc.assert(
      fc.property(
        fc.array(fieldRequirement, { minLength: 9, maxLength: 14 }),
        fc.dictionary(key, value),
        (requirements, fields) => {
          const read = (field: string) => (Object.hasOwn(fields, field) ? fields[field]! : '');
          const expected = requirements.every((requirement) => fieldSelectorOf([requirement]).matches(read));
          expect(fieldSelectorOf(requirements).matches(read)).toBe(expected);
        },
      ),
    );
  });

  it('read the labels and fields of an object, not once for each requirement', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `x${index}`);
    const { labels, reads } = counted({ app: 'a', tier: 'b' });
    expect(parseLabelSelector(names.map((name) => `!${name}`).join()).matches(labels)).toBe(true);
    expect(parseLabelSelector(names.join()).matches(labels)).toBe(false);
    expect(reads()).toBeLessThan(20);
    let read = 0;
    const selector = parseFieldSelector(
      names
        .slice(0, 2500)
        .map((name) => `metadata.name!=${name}`)
        .join(),
    );
    expect(
      selector.matches(() => {
        read += 1;
        return 'y';
      }),
    ).toBe(true);
    expect(read).toBe(1);
  });

  it('are refused when they are very long', () => {
    const long = 'a'.repeat(MAXIMUM_SELECTOR_LENGTH + 1);
    expect(() => parseLabelSelector(long)).toThrow(SelectorSyntaxError);
    expect(() => parseFieldSelector(long)).toThrow('more than 65536');
  });
});
