import type { CacheEvent, CacheRecord, EventType, RecordReader } from '../../src/cache/record.ts';
import type { WatchSink } from '../../src/cache/watcher.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { LateStorage } from '../storage/late-storage.ts';

/** A reader for records whose contents don't matter. */
export const plainReader: RecordReader = {
  header: () => ({ uid: '', labels: undefined, deletionTimestamp: undefined }),
};

/** Records the events of a watch. It is full after `room` events until {@link drain} is called. */
export class TestSink implements WatchSink {
  readonly revisions: number[] = [];
  readonly keys: string[] = [];
  ended = false;
  error: unknown;
  #drain: (() => void) | undefined;

  constructor(public room = Number.POSITIVE_INFINITY) {}

  matches(): boolean {
    return true;
  }

  deliver(_type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): boolean {
    this.revisions.push(revision);
    this.keys.push(record.key);
    if (event) event.frames ??= new Map();
    this.room -= 1;
    return this.room > 0;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#drain = resolve;
    });
  }

  /** Makes room for `room` more events. */
  drain(room: number): void {
    this.room = room;
    this.#drain?.();
  }

  end(error: unknown): void {
    this.ended = true;
    this.error = error;
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Yields to the event loop until `ready`. */
export async function turnsUntil(ready: () => boolean): Promise<void> {
  while (!ready()) await turn();
}

/** How a store delivers: at once, or late. */
export const DELIVERIES: readonly (readonly [name: string, wrap: (storage: Storage) => Storage])[] = [
  ['at once', (storage) => storage],
  ['late', (storage) => new LateStorage(storage)],
];
