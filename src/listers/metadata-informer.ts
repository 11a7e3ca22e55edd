import { envelopeMessage } from '../codec/envelope.ts';
import { decodeMetadata } from '../codec/protobuf.ts';
import {
  type Kind,
  type MetadataListener,
  type MetadataSource,
  type ObservedObject,
  observe,
} from '../controllers/garbage-collector/objects.ts';
import type { ObjectMeta } from '../model/object.ts';
import { messageType } from '../model/scheme.ts';
import type { Logger } from '../observability/log.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceRow, Verb } from '../registry/resource-set.ts';
import { REGISTRY_ROOT } from '../registry/stored-resource.ts';
import {
  fromKey,
  prefixEnd,
  type Storage,
  type StoredEntry,
  type StoreEvent,
  type StoreWatch,
} from '../storage/storage.ts';

const PAGE_SIZE = 500;
/** Delay before all objects are listed again after the watch has failed. */
const RELIST_DELAY_MILLISECONDS = 1000;
const REQUIRED_VERBS: readonly Verb[] = ['get', 'list', 'watch', 'delete'];

/** A kind of stored objects with the decoder of their metadata. */
interface ObservedKind {
  readonly kind: Kind;
  readonly row: ResourceRow;
  /** Key prefix of its objects. */
  readonly prefix: string;
  readonly metadataOf: (value: Uint8Array) => ObjectMeta;
  /** Whether only deletions are reported: events are many and short-lived, and never garbage-collected. */
  readonly deletionsOnly: boolean;
}

export interface MetadataInformerOptions {
  readonly registry: Registry;
  readonly storage: Storage;
  readonly logger: Logger;
}

/**
 * Lists the metadata of all stored objects, then watches their changes. It reads the stored bytes: the caches
 * of resources that no client requests stay empty, and the informer retains nothing.
 */
export class MetadataInformer implements MetadataSource {
  readonly #options: MetadataInformerOptions;
  readonly #byPrefix = new Map<string, ObservedKind>();
  readonly #kinds = new Map<ResourceRow, Kind>();
  #listener: MetadataListener | undefined;
  #watch: StoreWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  #stopped = false;
  #running: Promise<void> | undefined;
  #synced!: () => void;
  readonly synced = new Promise<void>((resolve) => {
    this.#synced = resolve;
  });

  constructor(options: MetadataInformerOptions) {
    this.#options = options;
  }

  listen(listener: MetadataListener): void {
    this.#listener = listener;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#running = this.#list();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#watch?.close();
    await this.#running;
    this.#synced();
  }

  findKind(apiVersion: string, kind: string): Kind | undefined {
    const slash = apiVersion.indexOf('/');
    const row = this.#options.registry.resources.findKind(
      slash < 0 ? '' : apiVersion.slice(0, slash),
      apiVersion.slice(slash + 1),
      kind,
    );
    return row === undefined ? undefined : this.#kindOf(row);
  }

  async isAnywhere(kind: Kind, name: string, uid: string): Promise<boolean> {
    const { registry } = this.#options;
    const row = this.#byPrefix.get(kind.store)?.row;
    if (row === undefined) return false;
    const { stored } = registry.serve(row);
    const namespaces = registry.internal('', 'namespaces').stored;
    await stored.cache.waitFresh('latest');
    await namespaces.cache.waitFresh('latest');
    let found = false;
    namespaces.cache.current().scan(namespaces.prefix, prefixEnd(namespaces.prefix), (namespace) => {
      found = stored.cache.get(stored.key(namespace.name, name))?.header.uid === uid;
      return !found;
    });
    return found;
  }

  #findKinds(): void {
    this.#byPrefix.clear();
    for (const row of this.#options.registry.resources.resources) {
      const kind = this.#kindOf(row);
      if (kind === undefined || this.#byPrefix.has(kind.store)) continue;
      const prefix = `${REGISTRY_ROOT}${kind.store}/`;
      this.#byPrefix.set(kind.store, {
        kind,
        row,
        prefix,
        metadataOf: metadataReader(row),
        deletionsOnly: row.resource === 'events',
      });
    }
  }

  #kindOf(row: ResourceRow): Kind | undefined {
    const { storage, verbs, group, version, resource, kind, namespaced } = row;
    if (storage === undefined || !REQUIRED_VERBS.every((verb) => verbs.includes(verb))) return undefined;
    let known = this.#kinds.get(row);
    if (known === undefined) {
      known = { resource: { group, version, resource, kind }, namespaced, store: storage.prefix };
      this.#kinds.set(row, known);
    }
    return known;
  }

  /** Lists all objects at one revision in pages, then watches from that revision. */
  async #list(): Promise<void> {
    const { storage } = this.#options;
    try {
      this.#findKinds();
      const revision = await storage.currentRevision();
      this.#listener?.startListing();
      for (const observed of this.#byPrefix.values())
        if (!observed.deletionsOnly) await this.#listKind(observed, revision);
      if (this.#stopped) return;
      this.#listener?.finishListing();
      this.#watch = storage.watch({
        start: REGISTRY_ROOT,
        end: prefixEnd(REGISTRY_ROOT),
        startRevision: revision + 1,
        onEvents: (events) => this.#handleEvents(events),
        onEnd: (error) => this.#relistLater(error),
      });
      this.#synced();
    } catch (error) {
      if (!this.#stopped) this.#relistLater(error as Error);
    }
  }

  async #listKind(observed: ObservedKind, revision: number): Promise<void> {
    const { storage } = this.#options;
    const end = prefixEnd(observed.prefix);
    for (let start = observed.prefix; ; ) {
      if (this.#stopped) return;
      const { entries, more } = await storage.range({ start, end, revision, limit: PAGE_SIZE });
      for (const entry of entries) {
        const object = this.#read(observed, entry, entry.revision);
        if (object !== undefined) this.#listener?.put(object);
      }
      if (!more || entries.length === 0) return;
      start = `${entries.at(-1)!.key}\0`;
      // Yield to client requests between pages.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #handleEvents(events: readonly StoreEvent[]): void {
    for (const event of events) {
      const { type, key, revision, previous } = event;
      const observed = this.#observedKindOf(key);
      if (observed === undefined) continue;
      if (type === 'put') {
        const object = observed.deletionsOnly ? undefined : this.#read(observed, event, revision);
        if (object !== undefined) this.#listener?.put(object);
      } else if (previous !== undefined) {
        const object = this.#read(observed, previous, revision);
        if (object !== undefined) this.#listener?.remove(object);
      }
    }
  }

  /** Prefixes have one segment or two. */
  #observedKindOf(key: string): ObservedKind | undefined {
    const first = key.indexOf('/', REGISTRY_ROOT.length);
    if (first < 0) return undefined;
    const found = this.#byPrefix.get(key.slice(REGISTRY_ROOT.length, first));
    if (found !== undefined) return found;
    const second = key.indexOf('/', first + 1);
    return second < 0 ? undefined : this.#byPrefix.get(key.slice(REGISTRY_ROOT.length, second));
  }

  /** Undefined for an object that cannot be decoded; the garbage collector ignores it. */
  #read(
    { kind, metadataOf }: ObservedKind,
    { key, value, corruption }: Pick<StoredEntry, 'key' | 'value' | 'corruption'>,
    revision: number,
  ): ObservedObject | undefined {
    try {
      if (corruption !== undefined) throw corruption;
      return observe(kind, metadataOf(value), revision);
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
    this.#watch = undefined;
    this.#timer = setTimeout(() => {
      this.#running = this.#list();
    }, RELIST_DELAY_MILLISECONDS);
    this.#timer.unref();
  }
}

function metadataReader({ storage }: ResourceRow): (value: Uint8Array) => ObjectMeta {
  if (storage!.encoding === 'json')
    return (value) => (JSON.parse(Buffer.from(value).toString()) as { metadata?: ObjectMeta }).metadata ?? {};
  const type = messageType('meta_v1.ObjectMeta');
  return (value) => decodeMetadata(type, envelopeMessage(value)) as ObjectMeta;
}
