import { describe, expect, it } from 'vitest';
import {
  pauseIfLarge,
  recordSize,
  runIfLarge,
  runInBackground,
  runInTurns,
  runNow,
  runWaiting,
  waitIfLarge,
} from '../../src/steps/run.ts';
import { setStepSizes, stepSizes } from '../../src/steps/sizes.ts';
import { type Steps, waitFor } from '../../src/steps/steps.ts';
import { loopTurns } from '../support/loop-turns.ts';

const large = 1 << 20;

function* twoPauses(): Steps<string> {
  yield;
  yield;
  return 'done';
}

function* waiting(value: string | Promise<string>): Steps<string> {
  try {
    return yield* waitFor(value);
  } catch (error) {
    return `caught ${(error as Error).message}`;
  }
}

describe('requests', () => {
  it('do not wait if they are small', () => {
    const turns = loopTurns();
    expect(waitIfLarge({ workingSetBytes: 1000, turns })).toBeUndefined();
    expect(pauseIfLarge({ workingSetBytes: 1000, turns })).toBeUndefined();
    expect(runIfLarge({ workingSetBytes: 1000, turns }, twoPauses())).toBe('done');
  });

  it('count by the largest size that was recorded', () => {
    const request = { workingSetBytes: 0, turns: loopTurns() };
    recordSize(request, large);
    recordSize(request, 10);
    expect(request.workingSetBytes).toBe(large);
    expect(pauseIfLarge(request)).toBeInstanceOf(Promise);
  });

  it('wait between two steps if their turn has taken its time, whatever their size', async () => {
    const turns = { next: async () => {}, pause: () => Promise.resolve(), isOver: true };
    expect(pauseIfLarge({ workingSetBytes: 10, turns })).toBeInstanceOf(Promise);
    const running = runIfLarge({ workingSetBytes: 10, turns }, twoPauses());
    expect(running).toBeInstanceOf(Promise);
    expect(await running).toBe('done');
  });
});

describe('runners', () => {
  it('run steps to their result', async () => {
    expect(runNow(twoPauses())).toBe('done');
    expect(runWaiting(twoPauses())).toBe('done');
    expect(await runInTurns(loopTurns(), twoPauses())).toBe('done');
    expect(await runInBackground(twoPauses())).toBe('done');
  });

  it('wait for promises and throw their errors inside of the work', async () => {
    expect(runWaiting(waiting('now'))).toBe('now');
    expect(await runWaiting(waiting(Promise.resolve('later')))).toBe('later');
    expect(await runInTurns(loopTurns(), waiting(Promise.reject(new Error('lost'))))).toBe('caught lost');
  });

  it('refuse to wait when they run at once', () => {
    expect(() => runNow(waiting(Promise.resolve('later')))).toThrow('the steps wait for a promise');
  });
});

describe('step sizes', () => {
  it('are set for a test and restored', () => {
    const { values, requestBytes } = stepSizes;
    const restore = setStepSizes(4);
    expect(stepSizes).toMatchObject({ values: 4, requestBytes: 4 });
    restore();
    expect(stepSizes).toMatchObject({ values, requestBytes });
  });
});
