import type { StoreEvent } from './storage.ts';
import type { HistorySlice } from './watch-hub.ts';

const overhead = 200;
const sizeOf = (event: StoreEvent): number =>
  event.value.length + (event.previous?.value.length ?? 0) + event.key.length + overhead;

/**
 * Ring buffer of the newest events, bounded by bytes; the oldest are evicted. Watches that start within it
 * read no disk.
 */
export class EventHistory {
  #events: (StoreEvent | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #coveredFrom: number;

  /** @param coveredFrom the first revision whose event is in the buffer */
  constructor(
    private readonly maximumBytes: number,
    coveredFrom: number,
  ) {
    this.#coveredFrom = coveredFrom;
  }

  /** The buffer has every event from this revision on. */
  get coveredFrom(): number {
    return this.#coveredFrom;
  }

  push(event: StoreEvent): void {
    this.#events.push(event);
    this.#bytes += sizeOf(event);
    while (this.#bytes > this.maximumBytes && this.#first < this.#events.length) {
      const oldest = this.#events[this.#first]!;
      this.#bytes -= sizeOf(oldest);
      this.#coveredFrom = oldest.revision + 1;
      // Clear the slot immediately: a reference in the array would keep the evicted event's bytes alive.
      this.#events[this.#first] = undefined;
      this.#first += 1;
    }
    // Empty slots are removed in large pieces, so that push is amortized O(1).
    if (this.#first > 1024 && this.#first * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Events from `from` (at least {@link coveredFrom}) up to `to`, at most `limit`. */
  read(from: number, to: number, limit: number): HistorySlice {
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision < from) low = middle + 1;
      else high = middle;
    }
    const events = this.#events.slice(low, low + limit) as StoreEvent[];
    return { events, next: events.length < limit ? to + 1 : events.at(-1)!.revision + 1 };
  }
}
