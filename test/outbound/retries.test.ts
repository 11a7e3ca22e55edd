import { describe, expect, it } from 'vitest';
import { WEBHOOK_BACKOFF, withRetries } from '../../src/outbound/retries.ts';

describe('withRetries', () => {
  const run = async (outcomes: readonly unknown[], isTransient: (error: unknown) => boolean = () => true) => {
    const waits: number[] = [];
    let tries = 0;
    const action = async () => {
      const outcome = outcomes[tries++];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const result = await withRetries(action, {
      backoff: WEBHOOK_BACKOFF,
      isTransient,
      sleep,
      random: () => 0,
    }).catch((error: Error) => error);
    return { result, waits, tries };
  };
  const failure = new Error('no');

  it('backs off exponentially and rejects with the last failure', async () => {
    expect(await run([failure, failure, failure, failure, new Error('last'), 'never'])).toEqual({
      result: new Error('last'),
      waits: [500, 750, 1125, 1687.5],
      tries: 5,
    });
  });

  it('resolves with the first success', async () => {
    expect(await run([failure, 'yes'])).toEqual({ result: 'yes', waits: [500], tries: 2 });
  });

  it('does not retry a permanent failure', async () => {
    expect(await run([failure, 'yes'], () => false)).toEqual({ result: failure, waits: [], tries: 1 });
  });
});
