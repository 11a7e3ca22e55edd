/** How often and how soon something is tried again. */
export interface Backoff {
  /** Tries in all. */
  readonly attempts: number;
  /** Milliseconds before the second try. */
  readonly first: number;
  /** What each wait is longer than the one before by. */
  readonly factor: number;
  /** Each wait is longer by up to this part of itself, by chance. */
  readonly jitter: number;
}

/** Webhooks that decide on requests: 0.5, 0.75, 1.1 and 1.7 seconds between five tries. */
export const WEBHOOK_BACKOFF: Backoff = { attempts: 5, first: 500, factor: 1.5, jitter: 0.2 };

export interface RetryOptions {
  readonly backoff: Backoff;
  /** Whether a failure is worth another try. */
  readonly isTransient: (error: unknown) => boolean;
  /** Waits; rejects when the waiting is given up. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/**
 * Does something until it succeeds, fails for good, or was tried often enough. Rejects with the last failure.
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
