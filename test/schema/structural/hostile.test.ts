import { describe, expect, it } from 'vitest';
import { copyJson, equalJson, TooManyDefaultsError } from '../../../src/schema/structural/index.ts';
import type { Steps } from '../../../src/steps/steps.ts';
import { schemaOf } from './support/schema-of.ts';
import { StructureAtOnce } from './support/structure-at-once.ts';

const structureOf = (schema: unknown): StructureAtOnce => new StructureAtOnce(schemaOf(schema));

/** Nested as deeply as the parsers accept. */
function nested(): unknown {
  let value: unknown = 1;
  for (let depth = 0; depth < 5000; depth += 1) value = { a: [value] };
  return value;
}

/** Runs all steps; returns the result and the number of pauses. */
function pausesOf<Result>(steps: Steps<Result>): { result: Result; pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, pauses };
  }
}

describe('values made to be costly', () => {
  it('handles nesting without recursion', () => {
    const free = structureOf({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      enum: [{}],
      uniqueItems: true,
    });
    const value = { deep: nested() };
    expect(free.prune(value)).toEqual([]);
    free.setDefaults(value);
    expect(free.validate(value)).toHaveLength(1);
    expect(equalJson(copyJson(value), value)).toBe(true);
    const sets = structureOf({
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    });
    expect(sets.validateLists([value, copyJson(value)]).map(({ field }) => field)).toEqual(['[1]']);
    expect(structureOf({ type: 'object' }).prune(value)).toEqual(['deep']);
  });

  it('refuses defaults that multiply', () => {
    const structure = structureOf({
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'string', default: { b: 'x'.repeat(1_000_000) } } } },
    });
    expect(() => structure.setDefaults(Array.from({ length: 10_000 }, () => ({})))).toThrow(
      TooManyDefaultsError,
    );
  });

  it('refuses a value that is too large for its alternatives', () => {
    const structure = structureOf({
      type: 'array',
      items: {
        type: 'string',
        anyOf: Array.from({ length: 2000 }, (_, index) => ({ maxLength: index % 3 })),
      },
    });
    const list = Array.from({ length: 3000 }, () => 'text');
    const { result, pauses } = pausesOf(structure.inSteps.validate(list));
    expect(result.map(({ field, body }) => [field, body.slice(0, 45)])).toEqual([
      ['<nil>', 'Invalid value: "": the value is too large for'],
    ]);
    expect(pauses).toBeGreaterThan(500);
    expect(structure.isSmall(['text'])).toBe(false);
  });

  it('pauses during large values', () => {
    const structure = structureOf({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'set',
          items: { type: 'object', properties: { a: { type: 'integer' } } },
        },
      },
    });
    const value = { list: Array.from({ length: 50_000 }, (_, index) => ({ a: index })) };
    expect(structure.isSmall(value)).toBe(false);
    expect(pausesOf(structure.inSteps.prune(value)).pauses).toBeGreaterThan(3);
    expect(pausesOf(structure.inSteps.setDefaults(value)).pauses).toBeGreaterThan(3);
    expect(pausesOf(structure.inSteps.validate(value)).pauses).toBeGreaterThan(3);
    expect(pausesOf(structure.inSteps.validateLists(value)).pauses).toBeGreaterThan(3);
  });

  it('keeps a bounded number of errors, without losing that there are some', () => {
    const structure = structureOf({
      type: 'array',
      items: { type: 'string', oneOf: [{ pattern: '^a$' }, { pattern: '^b$' }] },
    });
    const errors = structure.validate(Array.from({ length: 50_000 }, (_, index) => `text ${index}`));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(10_000);
  });
});
