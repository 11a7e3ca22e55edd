import { createHash } from 'node:crypto';

/** Values that are remembered; the oldest is forgotten first. Twice as many writes are rarely on their way. */
const MAXIMUM_VALUES = 32;
/** Bytes of the largest value that is kept; of a larger one its digest is. */
const MAXIMUM_BYTES = 8192;

/** A value that was encoded: its length, and its bytes or their digest. */
interface Recent {
  readonly length: number;
  readonly content: Uint8Array;
}

/**
 * Values that were encoded a moment ago, in a form that reading does not change: when they come back from the
 * store, nothing has to be decoded to find that out. They are compared by content, because stores copy them.
 */
export class RecentValues {
  readonly #values: Recent[] = [];
  #next = 0;

  add(value: Uint8Array): void {
    this.#values[this.#next] = { length: value.length, content: contentOf(value) };
    this.#next = (this.#next + 1) % MAXIMUM_VALUES;
  }

  has(value: Uint8Array): boolean {
    let content: Uint8Array | undefined;
    return this.#values.some((recent) => {
      if (recent.length !== value.length) return false;
      content ??= contentOf(value);
      return Buffer.compare(recent.content, content) === 0;
    });
  }
}

const contentOf = (value: Uint8Array): Uint8Array =>
  value.length > MAXIMUM_BYTES ? createHash('sha256').update(value).digest() : value;
