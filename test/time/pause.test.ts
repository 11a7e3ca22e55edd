import { describe, expect, it } from 'vitest';
import { pause, timeoutSignal } from '../../src/time/pause.ts';
import { ManualProcess } from '../support/manual-process.ts';

describe('a pause', () => {
  it('ends after its time', async () => {
    const process = new ManualProcess();
    let ended = false;
    const paused = pause(5, process).then(() => {
      ended = true;
    });
    process.pass(4);
    await Promise.resolve();
    expect(ended).toBe(false);
    process.pass(1);
    await paused;
  });

  it('ends early with its signal, and leaves no timer', async () => {
    const process = new ManualProcess();
    const stop = new AbortController();
    const paused = pause(5, process, stop.signal);
    stop.abort();
    await paused;
    await pause(5, process, stop.signal);
    expect(process.timers).toBe(0);
  });
});

it('a timeout signal aborts with the error of a timeout', async () => {
  const signal = timeoutSignal(1);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect((signal.reason as Error).name).toBe('TimeoutError');
});
