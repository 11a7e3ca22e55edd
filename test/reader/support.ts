import type { CacheRecord } from '../../src/cache/record.ts';
import { ResourceCache } from '../../src/cache/resource-cache.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import type { ReadObject } from '../../src/reader/read-object.ts';
import { ResourceReader } from '../../src/reader/resource-reader.ts';
import type { Subscriber } from '../../src/reader/subscription.ts';
import { createMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { plainReader } from '../cache/support.ts';
import { ManualClock } from '../reconcile/manual-clock.ts';

const PREFIX = '/r/';

/** Objects of a resource in a store; their content is JSON. */
export class Fixture {
  readonly storage: Storage;
  readonly clock = new ManualClock();
  readonly cache: ResourceCache;
  readonly reader: ResourceReader;
  readonly errors: string[] = [];
  /** Names of the objects that were decoded, and of those whose metadata was. */
  readonly decoded: string[] = [];
  readonly decodedMetadata: string[] = [];
  readonly #inner = createMemoryStorage();

  constructor(wrap: (storage: Storage) => Storage = (storage) => storage) {
    this.storage = wrap(this.#inner);
    this.cache = new ResourceCache({
      storage: this.storage,
      prefix: PREFIX,
      reader: plainReader,
      eventBytes: 1 << 20,
    });
    this.reader = new ResourceReader({
      cache: this.cache,
      decoder: {
        object: (record) => {
          this.decoded.push(record.name);
          return parse(record);
        },
        metadata: (record) => {
          this.decodedMetadata.push(record.name);
          return parse(record).metadata ?? {};
        },
      },
      clock: this.clock,
      onError: (error) => this.errors.push((error as Error).message),
    });
  }

  /** Stores an object; the text `broken` cannot be decoded. */
  async put(key: string, data = ''): Promise<number> {
    const expected = (await this.#inner.get(PREFIX + key)).entry?.revision ?? 0;
    const name = key.slice(key.lastIndexOf('/') + 1);
    const text = data === 'broken' ? data : JSON.stringify({ metadata: { name }, spec: { data } });
    return (await this.#inner.transact({ key: PREFIX + key, expected, value: Buffer.from(text) })).revision;
  }

  async delete(key: string): Promise<number> {
    const expected = (await this.#inner.get(PREFIX + key)).entry!.revision;
    return (await this.#inner.transact({ key: PREFIX + key, expected, value: undefined })).revision;
  }

  async close(): Promise<void> {
    this.cache.close();
    await this.#inner.close();
  }
}

const parse = ({ value }: CacheRecord): KubernetesObject =>
  JSON.parse(Buffer.from(value).toString()) as KubernetesObject;

/** Records what it is told of: `key before>after`, with the data of the objects. */
export class Notes implements Subscriber {
  readonly seen: string[] = [];
  readonly failures: string[] = [];

  constructor(private readonly dataOf: (object: ReadObject) => string = ({ object }) => specOf(object)) {}

  changed(key: string, current: ReadObject | undefined, previous: ReadObject | undefined): void {
    const text = (object: ReadObject | undefined) => (object === undefined ? '-' : this.dataOf(object));
    this.seen.push(`${key} ${text(previous)}>${text(current)}`);
  }

  failed(error: unknown): void {
    this.failures.push((error as Error).name);
  }
}

export const specOf = (object: KubernetesObject): string =>
  (object as { spec?: { data?: string } }).spec?.data ?? '';
