import { describe, expect, test } from 'vitest';
import { AsyncChecks, type PendingCheck } from '../../../src/registry/validation/async-checks.ts';
import { loopTurns } from '../../support/loop-turns.ts';

function check(key: string, size: number, started: string[]): PendingCheck<string> {
  return {
    key,
    size,
    *run() {
      started.push(key);
      yield size;
      return `early ${key}`;
    },
  };
}

const late = (key: string) => () => `late ${key}`;

describe('AsyncChecks', () => {
  test('returns the results in order, however often the validation runs', async () => {
    const checks = new AsyncChecks<string>();
    const object = {};
    await checks.run(loopTurns(), object, [check('a', 20_000, []), check('b', 20_000, [])]);
    const resultOf = checks.results(object);
    expect([resultOf('a', late('a')), resultOf('b', late('b')), resultOf('c', late('c'))]).toEqual([
      'early a',
      'early b',
      'late c',
    ]);
    expect(checks.results(object)('a', late('a'))).toBe('early a');
  });

  test('computes the result when the key differs', async () => {
    const checks = new AsyncChecks<string>();
    const object = {};
    await checks.run(loopTurns(), object, [check('a', 20_000, []), check('b', 20_000, [])]);
    const resultOf = checks.results(object);
    expect([resultOf('other', late('other')), resultOf('b', late('b'))]).toEqual(['late other', 'early b']);
  });

  test('leaves small checks to the validation', async () => {
    const started: string[] = [];
    const checks = new AsyncChecks<string>();
    const object = {};
    await checks.run(loopTurns(), object, [check('a', 10, started)]);
    expect(started).toEqual([]);
    expect(checks.results(object)('a', late('a'))).toBe('late a');
  });

  test('offers a pause after each check', async () => {
    const started: string[] = [];
    const checks = new AsyncChecks<string>();
    const seen: number[] = [];
    const pause = async (): Promise<void> => void seen.push(started.length);
    await checks.run(
      { next: pause, pause, isOver: false },
      {},
      ['a', 'b', 'c', 'd'].map((key) => check(key, 20_000, started)),
    );
    expect(new Set(seen).size).toBeGreaterThan(2);
  });
});
