import { describe, expect, it, vi } from 'vitest';
import { type DrainOptions, drainRequests } from '../../src/composition/drain.ts';

/** A drain whose timers fire when the test says so; `steps` is what happened. */
function drain(changes: Partial<DrainOptions> & { openExchanges?: number } = {}) {
  const steps: string[] = [];
  const timers: (() => void)[] = [];
  const counters = { openExchanges: changes.openExchanges ?? 0 };
  let now = 0;
  const done = drainRequests({
    limit: 8000,
    listener: {
      counters: counters as DrainOptions['listener']['counters'],
      drain: async (milliseconds) => steps.push(`drain ${milliseconds}`) > 0,
    },
    resources: {
      endAllWatches: () => void steps.push('end all watches'),
      async endWatchesOver(milliseconds, wait) {
        for (const kind of ['a', 'b']) {
          steps.push(`end watches of ${kind}`);
          await wait(milliseconds / 2);
        }
      },
    },
    watchGrace: 0,
    keepsListening: false,
    clock: {
      monotonic: () => now,
      after(milliseconds, callback) {
        steps.push(`wait ${milliseconds}`);
        timers.push(() => {
          now += milliseconds;
          callback();
        });
        return () => undefined;
      },
    },
    ...changes,
  });
  const fire = () => vi.waitFor(() => timers.shift()!());
  return { steps, done, fire, counters };
}

describe('drainRequests', () => {
  it('ends the watches at once, and waits for the requests in flight', async () => {
    const { steps, done } = drain();
    await done;
    expect(steps).toEqual(['drain 8000', 'end all watches']);
  });

  it('spreads the end of the watches over the grace period', async () => {
    const { steps, done, fire } = drain({ watchGrace: 10_000 });
    await fire();
    await fire();
    await done;
    expect(steps).toEqual([
      'drain 18000',
      'end watches of a',
      'wait 5000',
      'end watches of b',
      'wait 5000',
      'end all watches',
    ]);
  });

  it('keeps listening until the requests in flight have ended', async () => {
    const { steps, done, fire, counters } = drain({ keepsListening: true, openExchanges: 1 });
    await fire();
    counters.openExchanges = 0;
    await fire();
    await done;
    expect(steps).toEqual(['end all watches', 'wait 50', 'wait 50', 'drain 8000', 'end all watches']);
  });
});
