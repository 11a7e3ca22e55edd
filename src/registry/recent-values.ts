/** Values that are remembered; the oldest is forgotten first. Twice as many writes are rarely on their way. */
const MAXIMUM_VALUES = 32;
/** Bytes of the largest value that is remembered. */
const MAXIMUM_BYTES = 8192;

/**
 * Values that were encoded a moment ago, in a form that reading does not change: when they come back from the
 * store, nothing has to be decoded to find that out. They are compared by content, because stores copy them.
 */
export class RecentValues {
  readonly #values: Uint8Array[] = [];
  #next = 0;

  add(value: Uint8Array): void {
    if (value.length > MAXIMUM_BYTES) return;
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % MAXIMUM_VALUES;
  }

  has(value: Uint8Array): boolean {
    return this.#values.some((recent) => recent.length === value.length && isEqual(recent, value));
  }
}

const isEqual = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;
