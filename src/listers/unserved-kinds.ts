import type { Storage } from '../storage/storage.ts';
import { processClock } from '../time/clock.ts';

const RETRY_DELAY_MILLISECONDS = 1000;

export interface UnservedKindsOptions {
  readonly storage: Pick<Storage, 'currentRevision'>;
  /** The revision up to which the watch has delivered everything; 0 while no watch runs. */
  readonly position: () => number;
  /** Asks the watch for its position. */
  readonly requestProgress: () => void;
  /** Drops a kind. It may be called for one that is served again. */
  readonly drop: (store: string) => void;
}

/**
 * Kinds that are no longer served, by storage prefix. One is dropped once the watch has delivered everything
 * that was stored when it was removed: the removal of its objects is then known.
 */
export class UnservedKinds {
  readonly #options: UnservedKindsOptions;
  readonly #waiting = new Map<string, { revision: number | undefined }>();
  #cancelTimer = (): void => undefined;

  constructor(options: UnservedKindsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(store: string): void {
    const entry = { revision: undefined };
    this.#waiting.set(store, entry);
    void this.#findRevision(entry);
  }

  stop(): void {
    this.#cancelTimer();
    this.#waiting.clear();
  }

  /** The position of the watch has changed. */
  advance(): void {
    const position = this.#options.position();
    for (const [store, { revision }] of this.#waiting) {
      if (revision === undefined || revision > position) continue;
      this.#waiting.delete(store);
      this.#options.drop(store);
    }
  }

  async #findRevision(entry: { revision: number | undefined }): Promise<void> {
    try {
      entry.revision = await this.#options.storage.currentRevision();
    } catch {
      // The store is unavailable; until it answers, the kind stays observed.
      this.#cancelTimer();
      this.#cancelTimer = processClock.after(RETRY_DELAY_MILLISECONDS, () => {
        for (const one of this.#waiting.values())
          if (one.revision === undefined) void this.#findRevision(one);
      });
      return;
    }
    this.advance();
    if (this.#waiting.size > 0) this.#options.requestProgress();
  }
}
