import {
  type Kind,
  type MetadataListener,
  type MetadataSource,
  type ObservedObject,
  observe,
  type StoredMetadata,
} from '../controllers/garbage-collector/objects.ts';
import type { Logger } from '../observability/log.ts';
import type { ResourceSetListener } from '../resources/resource-set.ts';
import type { Resources } from '../resources/resources.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import {
  fromKey,
  prefixEnd,
  type Storage,
  type StoredEntry,
  type StoreEvent,
  type StoreWatch,
  toKey,
} from '../storage/storage.ts';
import { processClock } from '../time/clock.ts';
import { yieldToEventLoop } from '../time/event-loop.ts';
import { SeparateKinds } from './separate-kinds.ts';
import { type TrackedKind, TrackedKinds } from './tracked-kinds.ts';
import { UnservedKinds } from './unserved-kinds.ts';

const PAGE_SIZE = 500;
/** Delay before objects are listed again after the watch or a list has failed. */
const RELIST_DELAY_MILLISECONDS = 1000;

export interface MetadataInformerOptions {
  readonly resources: Resources;
  readonly storage: Storage;
  readonly logger: Logger;
}

/**
 * Lists the metadata of all stored objects, then watches their changes. It reads the stored bytes: the caches
 * of resources that no client requests stay empty, nothing is converted, and the informer retains nothing.
 *
 * It follows the set of served resources. The objects of a new kind are listed at the position of the running
 * watch. A kind that is no longer served is observed until the watch has passed its last event.
 */
export class MetadataInformer implements MetadataSource {
  readonly #options: MetadataInformerOptions;
  readonly #kinds: TrackedKinds;
  readonly #unserved: UnservedKinds;
  readonly #separate: SeparateKinds;
  /** New kinds that wait for their list. */
  readonly #unlisted = new Set<TrackedKind>();
  #listener: MetadataListener | undefined;
  #watch: StoreWatch | undefined;
  #cancelTimer = (): void => undefined;
  readonly #unsubscribe: () => void;
  /** Everything up to this revision has been observed. */
  #position = 0;
  #progressRequested = false;
  /** New kinds are being listed. */
  #listing = false;
  #stopped = false;
  #running: Promise<void> | undefined;
  #synced!: () => void;
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(options: MetadataInformerOptions) {
    this.#options = options;
    this.#kinds = new TrackedKinds(options.resources.served);
    this.#unserved = new UnservedKinds({
      storage: options.storage,
      position: () => (this.#watch === undefined ? 0 : this.#position),
      requestProgress: () => this.#requestProgress(),
      drop: (store) => this.#drop(store),
    });
    this.#separate = new SeparateKinds(options.storage);
    this.#unsubscribe = options.resources.served.onChange((change) => this.#followSet(change));
  }

  listen(listener: MetadataListener): void {
    this.#listener = listener;
  }

  start(): void {
    if (!this.#stopped) this.#running ??= this.#listAll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#unserved.stop();
    this.#cancelTimer();
    this.#watch?.close();
    this.#separate.close();
    await this.#running;
    this.#synced();
  }

  findKind(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.findKind(apiVersion, kind);
  }

  async read(kind: Kind, namespace: string, name: string): Promise<StoredMetadata | undefined> {
    const tracked = this.#kinds.get(kind.store);
    if (tracked === undefined) throw new Error(`objects of ${kind.store} are no longer served`);
    const { entry } = await this.#options.storage.get(
      toKey(`${tracked.prefix}${namespace === '' ? '' : `${namespace}/`}${name}`),
    );
    if (entry?.corruption !== undefined) throw entry.corruption;
    return entry && { metadata: tracked.metadataOf(entry.value), revision: entry.revision };
  }

  async isAnywhere({ store }: Kind, name: string, uid: string): Promise<boolean> {
    const { resources } = this.#options;
    const [row] = resources.served.storedUnder(store);
    if (row === undefined) return false;
    const { stored } = resources.serve(row);
    const namespaces = resources.internal('', 'namespaces').stored;
    await stored.cache.waitFresh('latest');
    await namespaces.cache.waitFresh('latest');
    let found = false;
    namespaces.cache.current().scan(namespaces.prefix, prefixEnd(namespaces.prefix), (namespace) => {
      found = stored.cache.get(stored.key(namespace.name, name))?.header.uid === uid;
      return !found;
    });
    return found;
  }

  #followSet({ removed, added }: Parameters<ResourceSetListener>[0]): void {
    for (const { storage } of [...removed, ...added]) {
      if (storage === undefined) continue;
      const store = storage.prefix;
      const outcome = this.#kinds.update(store);
      if (outcome === 'added') this.#unlisted.add(this.#kinds.get(store)!);
      else if (outcome === 'unserved') this.#unserved.add(store);
    }
    this.#listUnlisted();
    if (added.length > 0) this.#listener?.addKinds();
  }

  #drop(store: string): void {
    if (this.#kinds.update(store) !== 'unserved') return;
    this.#unlisted.delete(this.#kinds.get(store)!);
    this.#kinds.delete(store);
    this.#listener?.forgetKind(store);
  }

  /** Lists all objects at one revision in pages, then watches from that revision. */
  async #listAll(): Promise<void> {
    const { storage } = this.#options;
    const onEnd = (error: Error) => this.#relistLater(error);
    try {
      const revision = await storage.currentRevision();
      this.#listener?.startListing();
      for (const kind of this.#kinds.all) {
        await this.#listKind(kind, await this.#separate.positionOf(kind, revision), () => !this.#stopped);
        this.#unlisted.delete(kind);
      }
      if (this.#stopped) return;
      this.#listener?.finishListing();
      this.#position = revision;
      this.#progressRequested = false;
      this.#watch = storage.watch({
        start: REGISTRY_ROOT,
        end: prefixEnd(REGISTRY_ROOT),
        startRevision: revision + 1,
        onEvents: (events) => this.#advance(this.#handleEvents(events), false),
        onProgress: (reached, requested) => this.#advance(reached, requested),
        onEnd,
      });
      this.#separate.watch((events) => this.#handleEvents(events), onEnd);
      this.#unserved.advance();
      if (this.#unserved.size > 0) this.#requestProgress();
      this.#synced();
    } catch (error) {
      if (!this.#stopped) this.#relistLater(error as Error);
    }
  }

  #listUnlisted(): void {
    if (this.#watch !== undefined && this.#unlisted.size > 0 && !this.#listing)
      this.#running = this.#listEach(this.#watch);
  }

  /** Lists new kinds one after the other while a watch runs; it delivers what changes afterwards. */
  async #listEach(watch: StoreWatch): Promise<void> {
    this.#listing = true;
    for (const kind of this.#unlisted) {
      const isCurrent = (): boolean => !this.#stopped && this.#watch === watch && this.#unlisted.has(kind);
      kind.changed = new Set();
      try {
        await this.#listKind(kind, this.#position, isCurrent);
        if (this.#watch === watch) this.#unlisted.delete(kind);
      } catch (error) {
        if (isCurrent()) this.#listLater(kind, error as Error);
        break;
      } finally {
        kind.changed = undefined;
      }
      if (this.#stopped || this.#watch !== watch) break;
    }
    this.#listing = false;
    if (!this.#stopped && this.#watch !== watch) this.#listUnlisted();
  }

  /** The position may have been compacted while nothing changed: the store is asked for a newer one. */
  #listLater(kind: TrackedKind, error: Error): void {
    this.#options.logger.detail(2, 'garbage collector failed to list a new kind; retrying', {
      prefix: kind.prefix,
      err: error.message,
    });
    this.#requestProgress();
    this.#cancelTimer = processClock.after(RELIST_DELAY_MILLISECONDS, () => this.#listUnlisted());
  }

  async #listKind(kind: TrackedKind, revision: number, isCurrent: () => boolean): Promise<void> {
    if (kind.deletionsOnly) return;
    const { storage } = this.#options;
    const end = prefixEnd(kind.prefix);
    for (let start = kind.prefix; ; ) {
      if (!isCurrent()) return;
      const { entries, more } = await storage.range({ start, end, revision, limit: PAGE_SIZE });
      if (!isCurrent()) return;
      for (const entry of entries) {
        const object = kind.changed?.has(entry.key) ? undefined : this.#read(kind, entry, entry.revision);
        if (object !== undefined) this.#listener?.put(object);
      }
      if (!more || entries.length === 0) return;
      start = `${entries.at(-1)!.key}\0`;
      // Yield to client requests between pages.
      await yieldToEventLoop();
    }
  }

  #handleEvents(events: readonly StoreEvent[]): number {
    for (const event of events) {
      const { type, key, revision, previous } = event;
      const kind = this.#kinds.ofKey(key);
      if (kind === undefined) continue;
      kind.changed?.add(key);
      if (type === 'put') {
        const object = kind.deletionsOnly ? undefined : this.#read(kind, event, revision);
        if (object !== undefined) this.#listener?.put(object);
      } else if (previous !== undefined) {
        const object = this.#read(kind, previous, revision);
        if (object !== undefined) this.#listener?.remove(object);
      }
    }
    return events.at(-1)?.revision ?? 0;
  }

  #advance(revision: number, requested: boolean): void {
    this.#position = Math.max(this.#position, revision);
    if (requested) this.#progressRequested = false;
    if (this.#unserved.size === 0) return;
    this.#unserved.advance();
    if (requested && this.#unserved.size > 0) this.#requestProgress();
  }

  /** At most one request is outstanding. */
  #requestProgress(): void {
    if (this.#progressRequested || this.#watch === undefined) return;
    this.#progressRequested = true;
    this.#watch.requestProgress();
  }

  /** Undefined for an object that cannot be decoded; the garbage collector ignores it. */
  #read(
    kind: TrackedKind,
    { key, value, corruption }: Pick<StoredEntry, 'key' | 'value' | 'corruption'>,
    revision: number,
  ): ObservedObject | undefined {
    try {
      if (corruption !== undefined) throw corruption;
      return observe(kind, kind.metadataOf(value), revision);
    } catch (error) {
      this.#options.logger.detail(2, 'garbage collector failed to decode object; ignoring it', {
        key: fromKey(key),
        err: (error as Error).message,
      });
      return undefined;
    }
  }

  #relistLater(error: Error): void {
    if (this.#stopped) return;
    this.#options.logger.detail(2, 'garbage collector watch ended; relisting all objects', {
      err: error.message,
    });
    this.#watch?.close();
    this.#watch = undefined;
    this.#separate.close();
    this.#cancelTimer();
    this.#cancelTimer = processClock.after(RELIST_DELAY_MILLISECONDS, () => {
      this.#running = this.#listAll();
    });
  }
}
