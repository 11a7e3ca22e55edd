import type { StoreEvent } from './storage.ts';

const OVERHEAD = 200;

/** Bytes that an event of the store keeps alive. */
export const eventSize = ({ key, value, previous }: StoreEvent): number =>
  value.length + (previous?.value.length ?? 0) + key.length + OVERHEAD;

/**
 * The newest events in revision order, bounded by bytes; the oldest are dropped. A revision is complete or
 * absent: no read begins or ends inside one.
 */
export class RecentEvents<Event extends { readonly revision: number }> {
  #events: (Event | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #startRevision: number;

  /**
   * @param capacity maximum bytes
   * @param startRevision every event after this revision is added
   * @param sizeOf bytes that an event keeps alive
   */
  constructor(
    private readonly capacity: number,
    startRevision: number,
    private readonly sizeOf: (event: Event) => number,
  ) {
    this.#startRevision = startRevision;
  }

  /** Every event after this revision is held. */
  get startRevision(): number {
    return this.#startRevision;
  }

  push(event: Event): void {
    this.#events.push(event);
    this.#bytes += this.sizeOf(event);
    while (
      this.#first < this.#events.length &&
      (this.#bytes > this.capacity || this.#events[this.#first]!.revision <= this.#startRevision)
    ) {
      const oldest = this.#events[this.#first]!;
      this.#bytes -= this.sizeOf(oldest);
      this.#startRevision = oldest.revision;
      // Clear the slot immediately: a reference in the array would keep the dropped event's bytes alive.
      this.#events[this.#first] = undefined;
      this.#first += 1;
    }
    // Empty slots are removed in large pieces, so that push is amortized O(1).
    if (this.#first > 1024 && this.#first * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /**
   * The events after `revision`: at least `limit`, if there are as many, and the rest of the last one's
   * revision. Undefined if some of them were dropped.
   */
  after(revision: number, limit: number): Event[] | undefined {
    if (revision < this.#startRevision) return undefined;
    const events = this.#events;
    let low = this.#first;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (events[middle]!.revision > revision) high = middle;
      else low = middle + 1;
    }
    let end = Math.min(low + limit, events.length);
    if (end > low)
      while (end < events.length && events[end]!.revision === events[end - 1]!.revision) end += 1;
    return events.slice(low, end) as Event[];
  }
}
