import { BoundedMap } from '../../collections/bounded-map.ts';

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 900_000;
/** Nodes of DaemonSets that are remembered; at the bound, the one that failed first starts anew. */
const CAPACITY = 16_384;

interface Failure {
  readonly wait: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * How long failed Pods of a node stay before they are replaced: a second after the first replacement, twice as long after
 * each further one. A node without failures for twice the longest time starts anew.
 */
export class FailedPods {
  readonly #failures = new BoundedMap<string, Failure>(CAPACITY);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until the next replacement; 0 for at once. */
  untilReplaced(key: string): number {
    const failure = this.#failures.get(key);
    if (failure === undefined) return 0;
    // The wall clock of the machine may have gone back.
    return Math.min(failure.wait, Math.max(0, failure.since + failure.wait - this.#now()));
  }

  /** A failed Pod is replaced now. */
  replaced(key: string): void {
    const now = this.#now();
    const failure = this.#failures.get(key);
    const isKnown = failure !== undefined && now - failure.since <= 2 * LONGEST_WAIT;
    const wait = isKnown ? Math.min(failure.wait * 2, LONGEST_WAIT) : FIRST_WAIT;
    this.#failures.set(key, { wait, since: now });
  }
}
