import { describe, expect, it } from 'vitest';
import {
  checkEach,
  findErrorsInSteps,
  once,
  resultsOfEach,
  spend,
  validateInSteps,
} from '../../../src/registry/validation/validate-in-steps.ts';
import { errors } from '../../../src/status/errors.ts';
import { firstErrors, invalid, isValid, MAXIMUM_FIELD_ERRORS } from '../../../src/status/field-error.ts';
import type { Steps } from '../../../src/steps/steps.ts';

const list = Array.from({ length: 1000 }, (_, index) => index);

function run<Result>(steps: Steps<Result>): { result: Result; yields: number } {
  for (let yields = 0; ; yields += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, yields };
  }
}

describe('findErrorsInSteps', () => {
  const bounds = { costPerRun: 64, maximumErrors: 10 };
  const bad = (index: number) => invalid(`list[${index}]`, 'x'.repeat(300), 'bad');

  it('ends a validation with the errors that it has created, in their order', () => {
    let created = 0;
    const validate = () => {
      const errors = [invalid('first', 1, 'bad')];
      errors.push(...checkEach(list, { place: 'list' }, (item) => (item % 50 === 0 ? [bad(item)] : [])));
      for (const item of list) {
        created += 1;
        errors.push(bad(item));
      }
      return errors;
    };
    const { result, yields } = run(findErrorsInSteps(validate, bounds));
    expect(result.map(({ field }) => field)).toEqual([
      'first',
      ...Array.from({ length: 9 }, (_, at) => `list[${at * 50}]`),
    ]);
    expect(yields).toBeGreaterThan(5);
    expect(created).toBe(0);
  });

  it('ends a run that creates very many errors, also equal ones', () => {
    let created = 0;
    const validate = () =>
      list.map(() => {
        created += 1;
        return bad(0);
      });
    expect(run(findErrorsInSteps(validate, bounds)).result).toHaveLength(10);
    expect(created).toBe(10);
  });

  it('does not count errors of a question, and leaves other validations alone', () => {
    const validate = () => list.filter((item) => isValid(() => [bad(item)])).map(bad);
    expect(run(findErrorsInSteps(validate, bounds)).result).toEqual([]);
    const failing = () => {
      throw new Error('broken');
    };
    expect(() => run(findErrorsInSteps(failing, bounds))).toThrow('broken');
    expect(list.map(bad)).toHaveLength(list.length);
  });

  it('bounds a validation without steps', () => {
    const validate = () => Array.from({ length: 10_000 }, (_, index) => bad(index));
    const found = firstErrors(validate);
    expect(found).toHaveLength(MAXIMUM_FIELD_ERRORS);
    const { message, details } = errors.invalid({ group: '', kind: 'Pod' }, 'p'.repeat(100_000), found);
    expect(message).toMatch(/and more than 3\d{3} more errors\]$/);
    expect(details!.causes!.length).toBeLessThan(1000);
    expect(JSON.stringify(details).length).toBeLessThan(400_000);
  });
});

describe('validateInSteps', () => {
  it('checks each item once and yields after each run', () => {
    const checked: number[] = [];
    const validate = () =>
      checkEach(list, { place: 'list', cost: 2 }, (item, index) => {
        checked.push(index);
        return item % 100 === 0 ? [invalid(`list[${index}]`, item, 'bad')] : [];
      });
    const { result, yields } = run(validateInSteps(validate, 256));
    expect(checked).toEqual(list);
    expect(result.map(({ field }) => field)).toEqual(
      Array.from({ length: 10 }, (_, at) => `list[${at * 100}]`),
    );
    expect(yields).toBe(7);
  });

  it('distinguishes lists and the checks of one list', () => {
    const other = list.map((item) => -item);
    const validate = () => [
      resultsOfEach(list, { place: 'a' }, (item) => item + 1),
      resultsOfEach(list, { place: 'b' }, (item) => item + 2),
      resultsOfEach(other, { place: 'a' }, (item) => item + 1),
    ];
    const { result, yields } = run(validateInSteps(validate, 1));
    expect(result).toEqual([
      list.map((item) => item + 1),
      list.map((item) => item + 2),
      other.map((item) => item + 1),
    ]);
    expect(yields).toBeGreaterThan(40);
  });

  it('pauses within a nested long list', () => {
    const outer = [list, [...list]];
    let inner = 0;
    const validate = () =>
      resultsOfEach(outer, { place: 'outer' }, (items) =>
        resultsOfEach(items, { place: 'inner' }, () => {
          inner += 1;
          return inner;
        }),
      );
    const { yields } = run(validateInSteps(validate, 64));
    expect(inner).toBe(2000);
    expect(yields).toBeGreaterThan(20);
  });

  it('terminates when each run has a new list', () => {
    const validate = () => resultsOfEach([...list.slice(0, 65)], { place: 'copy' }, (item) => item).length;
    expect(run(validateInSteps(validate, 1)).result).toBe(65);
  });

  it('pauses within nested lists that are all short', () => {
    const tree = (depth: number): unknown[] =>
      Array.from({ length: 10 }, (_, index) => (depth === 0 ? index : tree(depth - 1)));
    const root = tree(3);
    let leaves = 0;
    const below = (items: readonly unknown[]): number[] =>
      resultsOfEach(items, { place: 'tree' }, (item) => {
        if (Array.isArray(item)) return below(item).length;
        leaves += 1;
        return 1;
      });
    const { yields } = run(validateInSteps(() => below(root), 256));
    expect(yields).toBeGreaterThan(30);
    // A run repeats at most one unit.
    expect(leaves).toBeLessThan(10_000 + 100 * yields);
  });

  it('ends a unit early when its items are expensive', () => {
    const few = list.slice(0, 20);
    const validate = () => resultsOfEach(few, { place: 'expensive', cost: 0 }, () => spend(64));
    expect(run(validateInSteps(validate, 64)).yields).toBe(19);
  });

  it('computes a fact about an object once for all runs', () => {
    let computed = 0;
    const validate = () => {
      const size = once(list, { place: 'size', cost: 10 }, () => {
        computed += 1;
        return list.length;
      });
      const other = once(list, { place: 'other', cost: 10 }, () => size + 1);
      return resultsOfEach(list, { place: 'list' }, () => size).length + other;
    };
    expect(validate()).toBe(2001);
    computed = 0;
    expect(run(validateInSteps(validate, 64))).toEqual({ result: 2001, yields: 15 });
    expect(computed).toBe(1);
  });

  it('gives each caller its own list of results', () => {
    const validate = () => {
      const results = resultsOfEach(list, { place: 'own' }, (item) => item);
      results.push(-1);
      resultsOfEach(list, { place: 'later' }, () => 0);
      return results.length;
    };
    expect(run(validateInSteps(validate, 128)).result).toBe(list.length + 1);
  });

  it('runs synchronously outside of validateInSteps and rethrows errors', () => {
    expect(checkEach(list, { place: 'a' }, () => [])).toEqual([]);
    const failing = () =>
      resultsOfEach(list, { place: 'a' }, () => {
        throw new Error('broken');
      });
    expect(() => run(validateInSteps(failing))).toThrow('broken');
    expect(resultsOfEach(list, { place: 'a' }, (item) => item)).toEqual(list);
  });
});
