import { runInTurns } from '../../steps/run.ts';
import type { LoopTurns } from '../../steps/turns.ts';

/** One check of a validation. */
export interface PendingCheck<Result> {
  /** Identifies the check within its validation. */
  readonly key: string;
  /** Length of the text to check, in characters. */
  readonly size: number;
  /** Computes the result; yields the size of each part that it has checked, in characters. */
  run(): Generator<number, Result>;
}

/** Characters that are compiled at once: about ten milliseconds of work. */
const CHARACTERS_AT_ONCE = 16 * 1024;

/**
 * Runs the checks of a validation before it, in steps that yield to the event loop. A dry run of the
 * validation collects the checks: it requests the same checks in the same order, whatever their results.
 */
export class AsyncChecks<Result> {
  readonly #results = new WeakMap<object, Map<number, { readonly key: string; readonly result: Result }>>();

  /** Whether checks of this size in total, in characters, run before the validation. */
  areLarge(size: number): boolean {
    return size > CHARACTERS_AT_ONCE;
  }

  /** Removes the results of an earlier validation of the object. */
  forget(object: object): void {
    this.#results.delete(object);
  }

  /** @param checks all checks of the object's validation, in order */
  async run(turns: LoopTurns, object: object, checks: readonly PendingCheck<Result>[]): Promise<void> {
    this.forget(object);
    // The validation itself runs small checks.
    if (!this.areLarge(checks.reduce((sum, { size }) => sum + size, 0))) return;
    this.#results.set(object, await runInTurns(turns, runChecks(checks)));
  }

  /**
   * Returns a function that returns the results of an object in order; it calls `compute` for unknown checks.
   */
  results(object: object): (key: string, compute: () => Result) => Result {
    const known = this.#results.get(object);
    let index = 0;
    return (key, compute) => {
      const found = known?.get(index++);
      return found !== undefined && found.key === key ? found.result : compute();
    };
  }
}

function* runChecks<Result>(
  checks: readonly PendingCheck<Result>[],
): Generator<number, Map<number, { key: string; result: Result }>> {
  const results = new Map<number, { key: string; result: Result }>();
  for (const [index, { key, run }] of checks.entries()) results.set(index, { key, result: yield* run() });
  return results;
}
