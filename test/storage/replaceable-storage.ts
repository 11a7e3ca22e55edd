import type { Storage, StoreReplacedError, StoreWatch, WatchOptions } from '../../src/storage/storage.ts';
import { LateStorage } from './late-storage.ts';

/** A store in another process that can be replaced by another one while it is used. */
export class ReplaceableStorage extends LateStorage {
  readonly #listeners = new Set<(error: StoreReplacedError) => void>();
  readonly #watches = new Map<StoreWatch, WatchOptions>();

  /** Every call goes to `store` from now on. */
  replace(store: Storage, reason: StoreReplacedError): void {
    this.inner = store;
    for (const listener of this.#listeners) listener(reason);
    for (const [watch, { onEnd }] of [...this.#watches]) {
      watch.close();
      onEnd(reason);
    }
  }

  onReplaced(listener: (error: StoreReplacedError) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  override watch(options: WatchOptions): StoreWatch {
    const inner = super.watch(options);
    const watch: StoreWatch = {
      close: () => {
        this.#watches.delete(watch);
        inner.close();
      },
      requestProgress: () => inner.requestProgress(),
    };
    this.#watches.set(watch, options);
    return watch;
  }
}
