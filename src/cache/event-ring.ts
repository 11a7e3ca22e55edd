import type { CacheEvent } from './record.ts';

/** Ring buffer of the most recent events of one resource in revision order, bounded by bytes. */
export class EventRing {
  readonly #events: CacheEvent[] = [];
  #first = 0;
  #bytes = 0;
  #startRevision: number;

  /** @param startRevision events after this revision are complete @param capacity maximum bytes */
  constructor(
    startRevision: number,
    readonly capacity: number,
  ) {
    this.#startRevision = startRevision;
  }

  /** The buffer has every event after this revision. */
  get startRevision(): number {
    return this.#startRevision;
  }

  append(event: CacheEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes;
    while (this.#bytes > this.capacity && this.#first < this.#events.length) {
      const oldest = this.#events[this.#first]!;
      this.#bytes -= oldest.bytes;
      this.#startRevision = oldest.revision;
      this.#events[this.#first] = undefined as never;
      this.#first += 1;
    }
    if (this.#first > 1024 && this.#first * 2 > this.#events.length) {
      this.#events.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** Up to `limit` events after `revision`, or undefined when some of them were evicted. */
  after(revision: number, limit: number): CacheEvent[] | undefined {
    if (revision < this.#startRevision) return undefined;
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision > revision) high = middle;
      else low = middle + 1;
    }
    return this.#events.slice(low, low + limit);
  }
}
