/** A session with something to write. */
export interface Flushable {
  flush(): void;
  /** Continues a long response. */
  flushBulk(): void;
}

/** Sessions between two readings of the clock. */
const SESSIONS_PER_CHECK = 8;
/** Milliseconds after which other work gets its turn. */
const SLICE = 4;
/** The same for the bytes of long responses. */
const BULK_SLICE = 1;

/**
 * Lets sessions write once per turn of the event loop, after everything that the turn has received. Shared by the
 * sessions of a listener: events for ten thousand connections are written in slices. Long responses, which other
 * requests need not wait for, have a shorter slice, and at least one session in it.
 */
export class FlushQueue {
  #waiting: Flushable[] = [];
  #bulk: Flushable[] = [];
  #isScheduled = false;

  /** Flushes a session at the end of the turn. It must not be added again before. */
  add(session: Flushable): void {
    this.#waiting.push(session);
    this.#schedule();
  }

  /** Continues the long response of a session. It must not be added again before. */
  addBulk(session: Flushable): void {
    this.#bulk.push(session);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    this.#flush();
    if (this.#bulk.length > 0) this.#flushBulk();
  };

  #flush(): void {
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
  }

  #flushBulk(): void {
    const bulk = this.#bulk;
    this.#bulk = [];
    const end = performance.now() + BULK_SLICE;
    let count = 0;
    do {
      bulk[count]!.flushBulk();
      count += 1;
    } while (count < bulk.length && performance.now() < end);
    if (count === bulk.length) return;
    this.#bulk = bulk.slice(count).concat(this.#bulk);
    this.#schedule();
  }
}
