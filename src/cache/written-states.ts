import type { CacheRecord } from './record.ts';

const MOST_STATES = 4096;
const MOST_BYTES = 16 << 20;

/** The state of a key at a store revision. */
export interface KnownState {
  /** Undefined if the key does not exist. */
  readonly record: CacheRecord | undefined;
  readonly revision: number;
}

/**
 * Results of own writes that the cache has not reached, by key: the base of the next write of the key. The
 * oldest are dropped first; a write without its base fails its first attempt and retries.
 */
export class WrittenStates {
  readonly #states = new Map<string, KnownState>();
  #bytes = 0;

  get(key: string): KnownState | undefined {
    return this.#states.get(key);
  }

  set(key: string, state: KnownState): void {
    const known = this.#states.get(key);
    if (known !== undefined && known.revision >= state.revision) return;
    this.#delete(key, known);
    this.#states.set(key, state);
    this.#bytes += sizeOf(state);
    for (const [oldest, dropped] of this.#states) {
      if (this.#states.size <= MOST_STATES && this.#bytes <= MOST_BYTES) return;
      this.#delete(oldest, dropped);
    }
  }

  /** The cache has reached `revision`. Concurrent writes are recorded in any order: some are dropped later. */
  reached(revision: number): void {
    for (const [key, state] of this.#states) {
      if (state.revision > revision) return;
      this.#delete(key, state);
    }
  }

  #delete(key: string, state: KnownState | undefined): void {
    if (state === undefined) return;
    this.#states.delete(key);
    this.#bytes -= sizeOf(state);
  }
}

const sizeOf = ({ record }: KnownState): number => 200 + (record?.value.length ?? 0);
