import type { Http2Stream } from './stream.ts';

/** The initial number of places; the number is always a power of two. */
const FIRST_CAPACITY = 4;

/**
 * The open streams of a session by identifier. A Map allocates a new table whenever it becomes empty, which
 * happens after each request if they come one at a time; and in V8 the objects of the old table stay alive until
 * the next full garbage collection.
 */
export class StreamTable {
  size = 0;
  /** Linear probing. Identifiers of clients are odd and ascend, so there are few collisions. */
  #places: (Http2Stream | undefined)[] = new Array(FIRST_CAPACITY).fill(undefined);

  get(id: number): Http2Stream | undefined {
    return this.#places[this.#placeOf(id)];
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  /** Adds a stream whose identifier is new. */
  add(stream: Http2Stream): void {
    if (2 * (this.size + 1) > this.#places.length) this.#resize(this.#places.length * 2);
    this.#places[this.#placeOf(stream.id)] = stream;
    this.size += 1;
  }

  delete(id: number): void {
    const places = this.#places;
    const at = this.#placeOf(id);
    if (places[at] === undefined) return;
    places[at] = undefined;
    this.size -= 1;
    this.#closeGap(at);
    if (places.length > FIRST_CAPACITY && 8 * this.size < places.length) this.#resize(places.length / 2);
  }

  /** A copy of the list of open streams: streams may be closed while it is iterated. */
  values(): Http2Stream[] {
    return this.#places.filter((stream) => stream !== undefined);
  }

  /** The index of the stream, or of the free place where it would be added. */
  #placeOf(id: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    let at = (id >>> 1) & mask;
    for (let stream = places[at]; stream !== undefined && stream.id !== id; stream = places[at])
      at = (at + 1) & mask;
    return at;
  }

  /** Moves the streams between a freed place and the next free one, so that probing still finds them. */
  #closeGap(gap: number): void {
    const places = this.#places;
    const mask = places.length - 1;
    let free = gap;
    for (let at = (gap + 1) & mask; places[at] !== undefined; at = (at + 1) & mask) {
      const home = (places[at]!.id >>> 1) & mask;
      // A stream stays if its home is after the free place, modulo the capacity.
      if (((at - home) & mask) < ((at - free) & mask)) continue;
      places[free] = places[at];
      places[at] = undefined;
      free = at;
    }
  }

  #resize(capacity: number): void {
    const streams = this.values();
    this.#places = new Array(capacity).fill(undefined);
    for (const stream of streams) this.#places[this.#placeOf(stream.id)] = stream;
  }
}
