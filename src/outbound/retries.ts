/** An exponential back-off. */
export interface Backoff {
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** Milliseconds before the second attempt. */
  readonly first: number;
  /** Factor by which each delay grows. */
  readonly factor: number;
  /** Random part added to each delay, as a fraction of it. */
  readonly jitter: number;
}

/** Authentication and authorization webhooks: five attempts, 0.5, 0.75, 1.1 and 1.7 seconds apart. */
export const WEBHOOK_BACKOFF: Backoff = { attempts: 5, first: 500, factor: 1.5, jitter: 0.2 };

export interface RetryOptions {
  readonly backoff: Backoff;
  /** Whether a failure may be retried. */
  readonly isTransient: (error: unknown) => boolean;
  /** Waits; rejects when the wait is cancelled. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/**
 * Retries an action with back-off until it succeeds, fails permanently or runs out of attempts. Rejects with
 * the last failure.
 */
export async function withRetries<Result>(
  action: () => Promise<Result>,
  { backoff, isTransient, sleep, random }: RetryOptions,
): Promise<Result> {
  let wait = backoff.first;
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      if (attempt >= backoff.attempts || !isTransient(error)) throw error;
    }
    await sleep(wait * (1 + random() * backoff.jitter));
    wait *= backoff.factor;
  }
}
