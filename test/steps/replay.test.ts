import { describe, expect, it } from 'vitest';
import { invalid } from '../../src/status/field-error.ts';
import { checkEach, once, onceInTurns, replay, resultsOfEach, spend } from '../../src/steps/replay.ts';
import { runWaiting } from '../../src/steps/run.ts';
import { type Steps, waitFor } from '../../src/steps/steps.ts';

const list = Array.from({ length: 1000 }, (_, index) => index);

function run<Result>(steps: Steps<Result>): { result: Result; yields: number } {
  for (let yields = 0; ; yields += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, yields };
  }
}

describe('replay', () => {
  it('checks each item once and yields after each run', () => {
    const checked: number[] = [];
    const validate = () =>
      checkEach(list, { place: 'list', cost: 2 }, (item, index) => {
        checked.push(index);
        return item % 100 === 0 ? [invalid(`list[${index}]`, item, 'bad')] : [];
      });
    const { result, yields } = run(replay(validate, 256));
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
    const { result, yields } = run(replay(validate, 1));
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
    const { yields } = run(replay(validate, 64));
    expect(inner).toBe(2000);
    expect(yields).toBeGreaterThan(20);
  });

  it('terminates when each run has a new list', () => {
    const validate = () => resultsOfEach([...list.slice(0, 65)], { place: 'copy' }, (item) => item).length;
    expect(run(replay(validate, 1)).result).toBe(65);
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
    const { yields } = run(replay(() => below(root), 256));
    expect(yields).toBeGreaterThan(30);
    // A run repeats at most one unit.
    expect(leaves).toBeLessThan(10_000 + 100 * yields);
  });

  it('ends a unit early when its items are expensive', () => {
    const few = list.slice(0, 20);
    const validate = () => resultsOfEach(few, { place: 'expensive', cost: 0 }, () => spend(64));
    expect(run(replay(validate, 64)).yields).toBe(19);
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
    expect(run(replay(validate, 64))).toEqual({ result: 2001, yields: 15 });
    expect(computed).toBe(1);
  });

  it('gives each caller its own list of results', () => {
    const validate = () => {
      const results = resultsOfEach(list, { place: 'own' }, (item) => item);
      results.push(-1);
      resultsOfEach(list, { place: 'later' }, () => 0);
      return results.length;
    };
    expect(run(replay(validate, 128)).result).toBe(list.length + 1);
  });

  it('runs synchronously outside of replay and rethrows errors', () => {
    expect(checkEach(list, { place: 'a' }, () => [])).toEqual([]);
    const failing = () =>
      resultsOfEach(list, { place: 'a' }, () => {
        throw new Error('broken');
      });
    expect(() => run(replay(failing))).toThrow('broken');
    expect(resultsOfEach(list, { place: 'a' }, (item) => item)).toEqual(list);
  });

  describe('with checks that take several steps', () => {
    function* counting(counts: number[], pauses: number): Steps<number> {
      for (let pause = 0; pause < pauses; pause += 1) {
        counts.push(pause);
        yield;
      }
      return pauses;
    }

    it('does the steps of each once, at its place', () => {
      const owner = {};
      const counts: number[] = [];
      let begun = 0;
      const validate = () => {
        begun += 1;
        const first = onceInTurns(owner, { place: 'first', cost: 1 }, () => counting(counts, 0));
        const long = onceInTurns(owner, { place: 'long', cost: 1 }, () => counting(counts, 3));
        const other = onceInTurns(owner, { place: 'other', cost: 1 }, () => counting(counts, 2));
        return [first, long, other];
      };
      expect(run(replay(validate))).toEqual({ result: [0, 3, 2], yields: 5 });
      expect(counts).toEqual([0, 1, 2, 0, 1]);
      expect(begun).toBe(3);
      expect(validate()).toEqual([0, 3, 2]);
    });

    it('waits for what a check waits for, and throws its error', async () => {
      const owner = {};
      function* waiting(): Steps<string> {
        return yield* waitFor(Promise.resolve('value'));
      }
      function* failing(): Steps<string> {
        return yield* waitFor(Promise.reject(new Error('broken')));
      }
      const of = (check: () => Steps<string>) =>
        runWaiting(replay(() => onceInTurns(owner, { place: 'check', cost: 1 }, check)));
      expect(await of(waiting)).toBe('value');
      await expect(of(failing)).rejects.toThrow('broken');
    });

    it('runs a validation inside of a check without pauses of its own', () => {
      function* nested(): Steps<number> {
        const before = resultsOfEach(list, { place: 'nested' }, (item) => item).length;
        yield;
        return before + resultsOfEach(list, { place: 'nested' }, (item) => item).length;
      }
      const validate = () => onceInTurns(list, { place: 'nested check', cost: 1 }, nested);
      expect(run(replay(validate, 64))).toEqual({ result: 2000, yields: 1 });
    });
  });
});
