import { describe, expect, it } from 'vitest';
import { findErrors, uncounted } from '../../../src/kinds/validation/find-errors.ts';
import { errors } from '../../../src/status/errors.ts';
import { firstErrors, invalid, isValid, MAXIMUM_FIELD_ERRORS } from '../../../src/status/field-error.ts';
import { checkEach, onceInTurns } from '../../../src/steps/replay.ts';
import type { Steps } from '../../../src/steps/steps.ts';

const list = Array.from({ length: 1000 }, (_, index) => index);

function run<Result>(steps: Steps<Result>): { result: Result; yields: number } {
  for (let yields = 0; ; yields += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, yields };
  }
}

describe('findErrors', () => {
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
    const { result, yields } = run(findErrors(validate, bounds));
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
    expect(run(findErrors(validate, bounds)).result).toHaveLength(10);
    expect(created).toBe(10);
  });

  it('does not count errors of a question, and leaves other validations alone', () => {
    const validate = () => list.filter((item) => isValid(() => [bad(item)])).map(bad);
    expect(run(findErrors(validate, bounds)).result).toEqual([]);
    const failing = () => {
      throw new Error('broken');
    };
    expect(() => run(findErrors(failing, bounds))).toThrow('broken');
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

  it('does not count errors of a check in turns, whatever its pace', () => {
    function* check(pauses: number): Steps<readonly ReturnType<typeof bad>[]> {
      const found = list.slice(0, 8).map(bad);
      for (let pause = 0; pause < pauses; pause += 1) yield;
      return [...found, ...list.slice(0, 8).map(bad)];
    }
    const found = [0, 1].map((pauses) => {
      const validate = () => [
        bad(0),
        ...onceInTurns(list, { place: 'check', cost: 1 }, () => uncounted(check(pauses))),
      ];
      return run(findErrors(validate, bounds)).result;
    });
    expect(found[0]).toHaveLength(17);
    expect(found[1]).toEqual(found[0]);
  });
});
