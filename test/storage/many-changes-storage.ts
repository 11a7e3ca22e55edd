import { toEvent } from '../../src/storage/memory/version.ts';
import { VersionStore } from '../../src/storage/memory/version-store.ts';
import {
  type GetResult,
  KeyExistsError,
  type RangeOptions,
  type RangeResult,
  type Storage,
  type StoreWatch,
  type Transaction,
  type TransactionResult,
  type WatchOptions,
} from '../../src/storage/storage.ts';
import { WatchHub } from '../../src/storage/watch-hub.ts';
import { FakeClock } from './fake-clock.ts';

const SLICE = 1000;

/** A store without history limits whose revisions may change many keys, as transactions of etcd do. */
export class ManyChangesStorage implements Storage {
  #revision = 1;
  readonly #versions = new VersionStore();
  readonly #hub: WatchHub;

  constructor() {
    this.#hub = new WatchHub({
      clock: new FakeClock(),
      revision: this.#revision,
      compactedRevision: () => 0,
      history: (from, to) => {
        const changes = this.#versions.changes(from, to, SLICE);
        return {
          events: changes.map(toEvent),
          next: changes.length < SLICE ? to + 1 : changes.at(-1)!.revision + 1,
        };
      },
    });
  }

  /** Makes several changes at one revision; an undefined value deletes. Returns the revision. */
  change(changes: readonly { readonly key: string; readonly value: Uint8Array | undefined }[]): number {
    this.#revision += 1;
    const versions = changes.map(({ key, value }) => this.#versions.append(key, value, this.#revision, 0, 0));
    this.#hub.publish(versions.map(toEvent), this.#revision);
    return this.#revision;
  }

  get(key: string, revision?: number): GetResult {
    return { entry: this.#versions.at(key, revision || this.#revision), revision: this.#revision };
  }

  range({ start, end, revision, limit }: RangeOptions): RangeResult {
    const all = this.#versions.past(start, end, revision || this.#revision, Number.POSITIVE_INFINITY);
    const entries = limit ? all.slice(0, limit) : all;
    return { entries, count: all.length, more: all.length > entries.length, revision: this.#revision };
  }

  count(start: string, end: string): number {
    return this.#versions.count(start, end);
  }

  async transact({ key, expected, value }: Transaction): Promise<TransactionResult> {
    const current = this.#versions.current(key)?.entry;
    if ((current?.revision ?? 0) !== expected) return { succeeded: false, current, revision: this.#revision };
    return { succeeded: true, revision: this.change([{ key, value }]) };
  }

  async createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    for (const { key } of entries) if (this.#versions.current(key)) throw new KeyExistsError(key);
    return entries.map((entry) => this.change([entry]));
  }

  watch(options: WatchOptions): StoreWatch {
    return this.#hub.watch(options);
  }

  async compact(): Promise<void> {
    throw new Error('this store keeps its history');
  }

  currentRevision(): number {
    return this.#revision;
  }

  statistics(): { bytes: number; keys: number } {
    return { bytes: 0, keys: this.#versions.keys };
  }

  health(): Error | undefined {
    return undefined;
  }

  async backup(): Promise<void> {
    throw new Error('this store cannot be backed up');
  }

  async close(): Promise<void> {
    this.#hub.end(new Error('the store is closed'));
  }
}
