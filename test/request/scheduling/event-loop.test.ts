import { describe, expect, it } from 'vitest';
import {
  recordRequestSize,
  runInSteps,
  waitIfLarge,
  yieldIfLarge,
} from '../../../src/request/scheduling/event-loop.ts';
import { loopTurns } from '../../support/loop-turns.ts';

const large = 1 << 20;

describe('requests', () => {
  it('do not wait if they are small', () => {
    const turns = loopTurns();
    expect(waitIfLarge({ workingSetBytes: 1000, turns })).toBeUndefined();
    expect(yieldIfLarge({ workingSetBytes: 1000, turns })).toBeUndefined();
  });

  it('count by the largest size that was recorded', () => {
    const request = { workingSetBytes: 0, turns: loopTurns() };
    recordRequestSize(request, large);
    recordRequestSize(request, 10);
    expect(request.workingSetBytes).toBe(large);
    expect(yieldIfLarge(request)).toBeInstanceOf(Promise);
  });

  it('wait between two steps if their turn has taken its time, whatever their size', async () => {
    const turns = { next: async () => {}, pause: () => Promise.resolve(), isOver: true };
    expect(yieldIfLarge({ workingSetBytes: 10, turns })).toBeInstanceOf(Promise);
  });

  it('run in steps to their result', async () => {
    function* steps(): Generator<Promise<void> | undefined, string> {
      yield undefined;
      yield Promise.resolve();
      return 'done';
    }
    expect(await runInSteps(loopTurns(), steps())).toBe('done');
  });
});
