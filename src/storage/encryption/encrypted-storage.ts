import { mapMaybePromise } from '../../steps/steps.ts';
import { processClock } from '../../time/clock.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import { CorruptObjectError } from '../corrupt-object.ts';
import type {
  GetResult,
  HealthPurpose,
  ImmediateState,
  MaybePromise,
  RangeOptions,
  RangeResult,
  Storage,
  StorageStatistics,
  StoredEntry,
  StoreEvent,
  StoreWatch,
  Transaction,
  TransactionResult,
  WatchOptions,
} from '../storage.ts';
import { StorageUnavailableError } from '../storage.ts';
import { DecryptedFeed } from './decrypted-feed.ts';
import { EncryptionError, UndecryptableObjectError } from './errors.ts';
import type { EncryptionRules } from './rules.ts';
import { identity } from './transformer.ts';
import { Unreadable } from './unreadable.ts';

/** Values decrypted between two looks at the clock. */
const STEP = 32;
/** The event loop is held at most this long by a range. */
const SLICE_MILLISECONDS = 20;

/** The configuration in force. */
export interface EncryptionInForce {
  readonly rules: EncryptionRules;
  /** A key service is configured: decryption may have to wait for it, so changes are not seen at once. */
  readonly asynchronous: boolean;
}

export interface EncryptedStorageOptions {
  readonly inner: Storage;
  readonly encryption: EncryptionInForce;
  /**
   * Returns the `resource.group` of a key, for the rules; undefined for keys that are never encrypted, such
   * as allocations.
   */
  readonly typeOf: (key: string) => string | undefined;
  /** Returns the key that values are bound to; default: the key itself. */
  readonly fullKey?: (key: string) => string;
}

/**
 * Encrypts the values of a store and decrypts them for every reader. A value that no key decrypts is an entry
 * with an {@link UndecryptableObjectError}; a key service that does not answer fails the read or the watch.
 */
export class EncryptedStorage implements Storage {
  readonly #inner: Storage;
  readonly #typeOf: EncryptedStorageOptions['typeOf'];
  readonly #fullKey: (key: string) => string;
  readonly #feeds = new Map<DecryptedFeed, WatchOptions>();
  readonly #unreadable = new Unreadable();
  /** Watches of one store share its events: each is decrypted once. */
  #events = new WeakMap<StoreEvent, MaybePromise<StoreEvent>>();
  #encryption: EncryptionInForce;

  constructor({ inner, encryption, typeOf, fullKey = (key) => key }: EncryptedStorageOptions) {
    this.#inner = inner;
    this.#encryption = encryption;
    this.#typeOf = typeOf;
    this.#fullKey = fullKey;
  }

  /**
   * Puts another configuration in force. Values stay as they are until they are written. Watches of values
   * that have become readable end, so that caches read them again.
   */
  async reload(encryption: EncryptionInForce): Promise<void> {
    const wasImmediate = this.immediate !== undefined;
    this.#encryption = encryption;
    this.#events = new WeakMap();
    if (wasImmediate !== (this.immediate !== undefined))
      for (const feed of [...this.#feeds.keys()]) feed.fail(reloaded());
    await this.retryUnreadable();
  }

  /** Reads values again that could not be decrypted, and ends the watches of those that now can be. */
  async retryUnreadable(): Promise<void> {
    for (const key of this.#unreadable.take()) {
      if (!(await this.#isReadable(key))) continue;
      for (const [feed, { start, end }] of [...this.#feeds])
        if (key >= start && (end === '' || key < end)) feed.fail(reloaded());
    }
  }

  async #isReadable(key: string): Promise<boolean> {
    try {
      const { entry } = await this.get(key);
      return !(entry?.corruption instanceof UndecryptableObjectError);
    } catch {
      this.#unreadable.add(key);
      return false;
    }
  }

  get immediate(): ImmediateState | undefined {
    return this.#encryption.asynchronous ? undefined : this.#inner.immediate;
  }

  get compactsItself(): boolean {
    return this.#inner.compactsItself === true;
  }

  get changesSince() {
    const inner = this.#inner;
    return inner.changesSince?.bind(inner);
  }

  get onReplaced() {
    const inner = this.#inner;
    return inner.onReplaced?.bind(inner);
  }

  knownCompaction(key: string): number {
    return this.#inner.knownCompaction?.(key) ?? this.#inner.immediate?.compactedRevision ?? 0;
  }

  hasOwnRevisions(prefix: string): boolean {
    return this.#inner.hasOwnRevisions?.(prefix) === true;
  }

  get untrustedProgress(): boolean {
    return this.#inner.untrustedProgress === true;
  }

  /** Whether the stored form of a key's value is outdated, so that the same content is to be written again. */
  async isStale(key: string): Promise<boolean> {
    const transformer = this.#transformerOf(key);
    if (transformer === undefined) return false;
    const { entry } = await this.#inner.get(key);
    if (entry === undefined || entry.corruption !== undefined) return false;
    try {
      return (await transformer.decrypt(entry.value, this.#fullKey(key))).stale;
    } catch (error) {
      if (error instanceof EncryptionError) throw error;
      return true;
    }
  }

  get(key: string, revision?: number): MaybePromise<GetResult> {
    return mapMaybePromise(this.#inner.get(key, revision), (result) =>
      result.entry === undefined
        ? result
        : mapMaybePromise(this.#entry(result.entry), (entry) => ({ entry, revision: result.revision })),
    );
  }

  range(options: RangeOptions): MaybePromise<RangeResult> {
    const result = this.#inner.range(options);
    if (options.keysOnly === true) return result;
    return mapMaybePromise(result, (encrypted) =>
      mapMaybePromise(this.#entries(encrypted.entries), (entries) => ({ ...encrypted, entries })),
    );
  }

  count(start: string, end: string): MaybePromise<number> {
    return this.#inner.count(start, end);
  }

  async transact(transaction: Transaction): Promise<TransactionResult> {
    const { key, value } = transaction;
    const encrypted = value === undefined ? undefined : this.#encrypt(key, value);
    const result = await this.#inner.transact({ ...transaction, value: encrypted });
    if (result.succeeded || result.current === undefined) return result;
    return { ...result, current: await this.#entry(result.current) };
  }

  async createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    return this.#inner.createBatch(
      entries.map(({ key, value }) => ({ key, value: this.#encrypt(key, value) })),
    );
  }

  watch(options: WatchOptions): StoreWatch {
    const feed = new DecryptedFeed(options, (event) => this.#event(event));
    this.#feeds.set(feed, options);
    const watch = this.#inner.watch({
      ...options,
      onEvents: (events) => feed.events(events),
      ...(options.onProgress && {
        onProgress: (revision: number, requested: boolean) => feed.progress(revision, requested),
      }),
      onEnd: (error) => feed.end(error),
    });
    feed.stop = () => {
      this.#feeds.delete(feed);
      watch.close();
    };
    return { close: () => feed.close(), requestProgress: () => watch.requestProgress() };
  }

  compact(revision: number): Promise<void> {
    return this.#inner.compact(revision);
  }

  currentRevision(): MaybePromise<number> {
    return this.#inner.currentRevision();
  }

  statistics(): MaybePromise<StorageStatistics> {
    return this.#inner.statistics();
  }

  health(purpose?: HealthPurpose): MaybePromise<Error | undefined> {
    return this.#inner.health(purpose);
  }

  /** The copy contains the values as they are stored: encrypted. */
  backup(directory: string): Promise<void> {
    return this.#inner.backup(directory);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #transformerOf(key: string) {
    const type = this.#typeOf(key);
    return type === undefined ? undefined : this.#encryption.rules.transformerOf(type);
  }

  #encrypt(key: string, value: Uint8Array): Uint8Array {
    return this.#transformerOf(key)?.encrypt(value, this.#fullKey(key)) ?? value;
  }

  #entry(entry: StoredEntry): MaybePromise<StoredEntry> {
    const { key, value, corruption } = entry;
    if (corruption !== undefined) return entry;
    return mapMaybePromise(this.#decrypt(key, value), (decrypted) =>
      decrypted === value
        ? entry
        : decrypted instanceof CorruptObjectError
          ? { ...entry, corruption: decrypted }
          : { ...entry, value: decrypted },
    );
  }

  /** Decrypts in steps; yields to the event loop when they take long. */
  #entries(entries: StoredEntry[]): MaybePromise<StoredEntry[]> {
    const decrypted: StoredEntry[] = [];
    const step = (): MaybePromise<StoredEntry[]> => {
      const end = processClock.monotonic() + SLICE_MILLISECONDS;
      while (decrypted.length < entries.length) {
        const some = entries
          .slice(decrypted.length, decrypted.length + STEP)
          .map((entry) => this.#entry(entry));
        if (some.some((entry) => entry instanceof Promise))
          return Promise.all(some).then((done) => {
            decrypted.push(...done);
            return step();
          });
        decrypted.push(...(some as StoredEntry[]));
        if (decrypted.length < entries.length && processClock.monotonic() > end)
          return yieldToEventLoop().then(step);
      }
      return decrypted;
    };
    return step();
  }

  #event(event: StoreEvent): MaybePromise<StoreEvent> {
    const known = this.#events.get(event);
    if (known !== undefined) return known;
    const previous = event.previous === undefined ? undefined : this.#entry(event.previous);
    // The event fails with its own value first.
    if (previous instanceof Promise) previous.catch(() => undefined);
    const current =
      event.type === 'delete' || event.corruption !== undefined
        ? event.value
        : this.#decrypt(event.key, event.value);
    const decrypted = mapMaybePromise(current, (value) =>
      mapMaybePromise(previous, (before) =>
        value === event.value && before === event.previous
          ? event
          : value instanceof CorruptObjectError
            ? { ...event, previous: before, corruption: value }
            : { ...event, previous: before, value },
      ),
    );
    this.#events.set(event, decrypted);
    return decrypted;
  }

  /** The value, or why no key decrypts it. @throws EncryptionError when a key cannot be obtained now */
  #decrypt(key: string, value: Uint8Array): MaybePromise<Uint8Array | CorruptObjectError> {
    const failed = (error: unknown): CorruptObjectError => {
      if (error instanceof EncryptionError) throw error;
      this.#unreadable.add(key);
      return new UndecryptableObjectError(key, error);
    };
    try {
      const result = (this.#transformerOf(key) ?? identity).decrypt(value, this.#fullKey(key));
      return result instanceof Promise ? result.then((decrypted) => decrypted.value, failed) : result.value;
    } catch (error) {
      return failed(error);
    }
  }
}

const reloaded = () =>
  new StorageUnavailableError('the configuration of encryption has changed; read the state again');
