import { CompactedError, prefixEnd, type Storage, type StoreEvent } from '../storage/storage.ts';
import type { ProcessClock } from '../time/clock.ts';

const BATCH_BYTES = 1 << 20;

/** Batches that are kept for other watches, and for how long after the last read, in milliseconds. */
const MOST_BATCHES = 4;
const KEPT_MILLISECONDS = 5000;

/** Events of whole revisions: all after `from`, up to and including `to`. */
export interface HistoryBatch<Event> {
  readonly from: number;
  readonly to: number;
  readonly events: readonly Event[];
}

interface Read<Event> {
  readonly from: number;
  readonly batch: Promise<HistoryBatch<Event>>;
}

/**
 * The store's history of one resource. Watches that resume share reads, and the events that these return: one read
 * serves every watch whose position lies in it.
 */
export class SharedHistory<Event extends { readonly revision: number }> {
  /** The newest last; running ones too. */
  #reads: Read<Event>[] = [];
  #cancelDrop: (() => void) | undefined;

  constructor(
    private readonly read: (revision: number, target: number) => Promise<HistoryBatch<Event>>,
    private readonly clock: Pick<ProcessClock, 'after'>,
  ) {}

  /**
   * Returns events after `revision`. If there are none, everything up to the returned revision is known not to
   * concern this resource.
   * @throws CompactedError
   */
  async after(revision: number, target: number): Promise<{ events: readonly Event[]; revision: number }> {
    for (const { from, batch } of [...this.#reads].reverse()) {
      if (from > revision) continue;
      const { to, events } = await batch.catch(() => failed);
      if (to > revision) return { events: events.filter((event) => event.revision > revision), revision: to };
    }
    const read = { from: revision, batch: this.read(revision, target) };
    this.#keep(read);
    try {
      const { events, to } = await read.batch;
      return { events, revision: to };
    } catch (error) {
      this.#reads = this.#reads.filter((other) => other !== read);
      throw error;
    }
  }

  /** Drops the events that were read. */
  clear(): void {
    this.#cancelDrop?.();
    this.#reads = [];
  }

  #keep(read: Read<Event>): void {
    this.#reads.push(read);
    if (this.#reads.length > MOST_BATCHES) this.#reads.shift();
    this.#cancelDrop?.();
    this.#cancelDrop = this.clock.after(KEPT_MILLISECONDS, () => this.clear());
  }
}

/** A read that failed serves nobody else: each watch then gets the error of its own. */
const failed = { to: 0, events: [] };

/**
 * Reads a batch of the store's events of one prefix after `revision`, about 1 MB and whole revisions, and not
 * beyond the first batch that reaches `target`.
 * @throws CompactedError
 */
export function readHistory(
  storage: Storage,
  prefix: string,
  revision: number,
  target: number,
): Promise<HistoryBatch<StoreEvent>> {
  return new Promise((resolve, reject) => {
    const events: StoreEvent[] = [];
    let bytes = 0;
    let done = false;
    if (revision >= target) {
      resolve({ from: revision, to: target, events });
      return;
    }
    const finish = (to: number) => {
      if (done) return;
      done = true;
      resolve({ from: revision, to, events });
      queueMicrotask(() => watch.close());
    };
    const fail = (error: Error) => {
      if (done) return;
      done = true;
      reject(error);
      queueMicrotask(() => watch.close());
    };
    const watch = storage.watch({
      start: prefix,
      end: prefixEnd(prefix),
      startRevision: revision + 1,
      onEvents(batch) {
        if (done) return;
        for (const event of batch) {
          if (event.previousCompacted) return fail(new CompactedError(revision, event.revision));
          events.push(event);
          bytes += event.value.length + (event.previous?.value.length ?? 0) + 100;
        }
        const to = batch.at(-1)!.revision;
        if (bytes >= BATCH_BYTES || to >= target) finish(to);
      },
      onProgress(reached) {
        if (reached >= target) finish(reached);
      },
      onEnd: fail,
    });
    watch.requestProgress();
  });
}
