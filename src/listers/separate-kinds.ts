import { prefixEnd, type Storage, type StoreEvent, type StoreWatch } from '../storage/storage.ts';
import type { TrackedKind } from './tracked-kinds.ts';

/**
 * The kinds whose objects are in a store with revisions of its own (`--etcd-servers-overrides`): the watch of the
 * whole main store has no events of them, so each has a watch of its own.
 */
export class SeparateKinds {
  readonly #storage: Storage;
  /** The revision at which the objects of a kind were listed. */
  readonly #positions = new Map<TrackedKind, number>();
  #watches: StoreWatch[] = [];

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The revision at which the objects of a kind are to be listed. @param main that of the main store */
  async positionOf(kind: TrackedKind, main: number): Promise<number> {
    if (this.#storage.hasOwnRevisions?.(kind.prefix) !== true) return main;
    const { prefix } = kind;
    const { revision } = await this.#storage.range({ start: prefix, end: prefixEnd(prefix), limit: 1 });
    this.#positions.set(kind, revision);
    return revision;
  }

  /** Watches the kinds from their positions. Each watch that ends is reported. */
  watch(onEvents: (events: readonly StoreEvent[]) => void, onEnd: (error: Error) => void): void {
    for (const [{ prefix }, revision] of this.#positions)
      this.#watches.push(
        this.#storage.watch({
          start: prefix,
          end: prefixEnd(prefix),
          startRevision: revision + 1,
          onEvents,
          onEnd,
        }),
      );
  }

  /** Ends the watches. */
  close(): void {
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
    this.#positions.clear();
  }
}
