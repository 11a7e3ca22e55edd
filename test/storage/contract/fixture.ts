import { afterEach, beforeEach } from 'vitest';
import { prefixEnd, type Storage } from '../../../src/storage/storage.ts';
import { FakeClock } from '../fake-clock.ts';

export interface StorageUnderTest {
  readonly storage: Storage;
  /** Removes the files of the store after it is closed. */
  dispose(): Promise<void>;
}

/** A range that contains every key. */
export const all = { start: '/', end: prefixEnd('/') };

/** A new store for each test. */
export class ContractFixture {
  clock = new FakeClock();
  #under: StorageUnderTest | undefined;

  constructor(create: (clock: FakeClock) => Promise<StorageUnderTest>) {
    beforeEach(async () => {
      this.clock = new FakeClock();
      this.#under = await create(this.clock);
    });
    afterEach(async () => {
      await this.storage.close();
      await this.#under!.dispose();
    });
  }

  get storage(): Storage {
    return this.#under!.storage;
  }

  /**
   * Advances time until `ready`: a store arms its timer again only after the previous deletions are durable.
   */
  async advanceUntil(ready: () => boolean): Promise<void> {
    while (!ready()) {
      this.clock.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async keysAt(revision?: number): Promise<string[]> {
    return (await this.storage.range({ ...all, revision })).entries.map((entry) => entry.key);
  }
}
