/** A session with something to write. */
export interface Flushable {
  flush(): void;
}

/** Sessions between two readings of the clock. */
const SESSIONS_PER_CHECK = 8;
/** Milliseconds after which other work gets its turn. */
const SLICE = 4;

/**
 * Lets sessions write once per turn of the event loop, after everything that the turn has received. Shared by the
 * sessions of a listener: events for ten thousand connections are written in slices.
 */
export class FlushQueue {
  #waiting: Flushable[] = [];
  #isScheduled = false;

  /** Flushes a session at the end of the turn. It must not be added again before. */
  add(session: Flushable): void {
    this.#waiting.push(session);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    const end = performance.now() + SLICE;
    for (let index = 0; index < waiting.length; index += 1) {
      if (index % SESSIONS_PER_CHECK === SESSIONS_PER_CHECK - 1 && performance.now() > end) {
        this.#waiting = waiting.slice(index).concat(this.#waiting);
        this.#schedule();
        return;
      }
      waiting[index]!.flush();
    }
  };
}
