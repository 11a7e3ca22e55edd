import type { Pod } from '../../model/generated/core-v1.ts';
import { finishedAt } from './pods.ts';

/** Milliseconds after the first failure until its Pod is replaced; each further one doubles them. */
const FIRST = 10_000;
const LONGEST = 600_000;

/** The failures since the last success. */
export interface Failures {
  readonly count: number;
  /** When the last one was, in milliseconds since the epoch. */
  readonly last: number;
}

export const NO_FAILURES: Failures = { count: 0, last: 0 };

/**
 * The failures with those of Pods that have ended since they were counted. A success ends the series: only failures
 * after the last one count.
 */
export function withFinished(known: Failures, succeeded: readonly Pod[], failed: readonly Pod[]): Failures {
  const failures = failed.map(finishedAt);
  if (succeeded.length === 0)
    return failures.length === 0
      ? known
      : { count: known.count + failures.length, last: Math.max(...failures) };
  const success = Math.max(...succeeded.map(finishedAt));
  const later = failures.filter((time) => time > success);
  return later.length === 0 ? NO_FAILURES : { count: later.length, last: Math.max(...later) };
}

/** Milliseconds until a failed Pod may be replaced. @param now milliseconds since the epoch */
export function untilReplaced({ count, last }: Failures, now: number): number {
  if (count === 0) return 0;
  const wait = Math.min(FIRST * 2 ** (count - 1), LONGEST);
  return Math.max(0, last + wait - now);
}
