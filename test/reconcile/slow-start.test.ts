import { describe, expect, it } from 'vitest';
import { slowStart } from '../../src/reconcile/slow-start.ts';

/** Starts calls of which those from `failing` on are refused; returns the result and the sizes of the batches. */
async function run(count: number, failing = Number.POSITIVE_INFINITY) {
  const batches: number[] = [];
  let open = 0;
  const result = await slowStart(count, async (index) => {
    open += 1;
    if (open === 1) batches.push(0);
    batches[batches.length - 1]! += 1;
    await Promise.resolve();
    open -= 1;
    if (index >= failing) throw new Error(`${index}`);
  });
  return { ...result, errors: result.errors.map((error) => (error as Error).message), batches };
}

describe('slowStart', () => {
  it('doubles the batches', async () =>
    expect(await run(11)).toEqual({ succeeded: 11, errors: [], batches: [1, 2, 4, 4] }));

  it('makes no batch after one with an error', async () =>
    expect(await run(100, 2)).toEqual({ succeeded: 2, errors: ['2'], batches: [1, 2] }));

  it('makes one call that is refused', async () =>
    expect(await run(100, 0)).toEqual({ succeeded: 0, errors: ['0'], batches: [1] }));

  it('makes none for nothing', async () =>
    expect(await run(0)).toEqual({ succeeded: 0, errors: [], batches: [] }));
});
