import { EncodingCache } from '../cache/encoding-cache.ts';
import type { BuiltinDependencies } from '../kinds/builtin-resource.ts';
import {
  type BuiltinResources,
  builtinResourcesOf,
  builtinStrategies,
  type ServedPredicate,
} from '../kinds/builtin-resources.ts';
import type { TableDefinition } from '../kinds/table.ts';
import { parseApiVersion } from '../model/object.ts';
import type { Scheme } from '../model/scheme.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { Storage, StoreReplacedError } from '../storage/storage.ts';
import { type BuiltinParts, builtinDefinition } from './builtin-definition.ts';
import { FormerResources } from './former-resources.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { type ResourceRow, type ResourceSet, servedResources } from './resource-set.ts';
import { ServedResource } from './served-resource.ts';
import { StoredResource } from './stored-resource.ts';
import { UnreadableKinds } from './unreadable-kinds.ts';

export interface ResourcesOptions {
  /** The release whose kinds are served. */
  readonly scheme: Scheme;
  readonly storage: Storage;
  readonly isServed?: ServedPredicate;
  /** What the strategies of built-in resources need. */
  readonly dependencies: BuiltinDependencies;
  /** Bytes of recent events per resource; 0 for `--watch-cache=false`. */
  readonly eventBytes: number;
  /** Size of the encoding cache over all resources, in bytes. */
  readonly encodingCacheBytes: number;
}

/** A change of the served resources. */
export interface ResourcesChange {
  readonly remove?: Iterable<ResourceRow>;
  readonly add?: Iterable<ResourceDefinition>;
}

/** The stored resources by prefix, and the served ones by group, version and resource. */
export class Resources {
  /** The served resources. They change with {@link change} only. */
  readonly served: ResourceSet;
  /** Versions of custom kinds that are not served any more, but still published. */
  readonly former = new FormerResources();
  /** Custom kinds whose definition cannot be read. */
  readonly unreadable = new UnreadableKinds();
  readonly encodingCache: EncodingCache;
  readonly #stored = new Map<string, StoredResource>();
  readonly #served = new Map<ResourceRow, ServedResource>();
  /** Definitions of the resources that were added at run time. */
  readonly #added = new Map<ResourceRow, ResourceDefinition>();
  readonly #builtin: BuiltinParts;
  readonly #resources: BuiltinResources;
  readonly #options: ResourcesOptions;

  constructor(options: ResourcesOptions) {
    this.#options = options;
    this.#resources = builtinResourcesOf(options.scheme).withGates(options.dependencies.isOn);
    this.served = servedResources(this.#resources, options.isServed);
    this.encodingCache = new EncodingCache(options.encodingCacheBytes);
    this.#builtin = {
      types: options.scheme.types,
      resources: this.#resources,
      strategyOf: builtinStrategies(options.dependencies),
      inVersion: (row, apiVersion) => this.#inVersion(row, apiVersion),
    };
  }

  /** Returns the resource served at a group version; undefined when it is not served or is virtual. */
  find(group: string, version: string, resource: string): ServedResource | undefined {
    const row = this.served.find(group, version, resource);
    return row === undefined || row.storage === undefined ? undefined : this.serve(row);
  }

  /** Returns the table of a resource, which may be virtual. */
  tableOf(row: ResourceRow): TableDefinition {
    return this.#added.get(row)?.table ?? this.#resources.tableOf(this.#resources.resourceOf(row)!);
  }

  /** The release whose kinds are served. */
  get scheme(): Scheme {
    return this.#options.scheme;
  }

  /** The rows of all built-in resources, served or not. */
  get builtin(): readonly ResourceRow[] {
    return this.#resources.rows;
  }

  /** Prepares the first use of an added resource, which may have changed meanwhile; undefined if it is prepared. */
  prepare(row: ResourceRow, turns: LoopTurns): Promise<void> | undefined {
    return this.#added.get(row)?.prepare?.(turns);
  }

  /** @param row row of a stored resource: a built-in one, served or not, or an added one */
  serve(row: ResourceRow): ServedResource {
    let served = this.#served.get(row);
    if (served === undefined) {
      const definition = this.#added.get(row) ?? builtinDefinition(row, this.#builtin);
      served = new ServedResource(definition, this.#store(definition), {
        types: this.#options.scheme.types,
        encodingCache: this.encodingCache,
      });
      this.#served.set(row, served);
    }
    return served;
  }

  /** Returns the same built-in kind in another version. */
  #inVersion({ storage, kind }: ResourceRow, apiVersion: string): ServedResource | undefined {
    const parsed = parseApiVersion(apiVersion);
    if (parsed === undefined) return undefined;
    const { group, version } = parsed;
    const row = this.#resources.rows.find(
      (one) =>
        one.version === version &&
        one.group === group &&
        one.kind === kind &&
        one.storage !== undefined &&
        one.storage.prefix === storage?.prefix,
    );
    return row === undefined ? undefined : this.serve(row);
  }

  /**
   * Returns a resource in its preferred version for the server itself, whether it is served or not.
   * @throws Error when no such resource is stored
   */
  internal(group: string, resource: string): ServedResource {
    const row = this.#resources.rows.find(
      (one) => one.group === group && one.resource === resource && one.storage !== undefined,
    );
    if (row === undefined) throw new Error(`no stored resource ${resource} in group "${group}"`);
    return this.serve(row);
  }

  /**
   * Changes the served resources, as one change of {@link resources}. Stored objects remain. A prefix that
   * stays in use keeps its cache; the cache of a prefix that is no longer served is closed, which ends its
   * watches. Requests in flight continue on what they started with.
   */
  change({ remove = [], add = [] }: ResourcesChange): void {
    const removed = [...remove];
    const added = [...add];
    for (const definition of added) this.#added.set(definition.row, definition);
    this.served.change({ remove: removed, add: added.map(({ row }) => row) });
    const prefixes = new Set(added.map(({ row }) => row.storage?.prefix));
    for (const row of removed) {
      this.#served.get(row)?.close();
      this.#served.delete(row);
      this.#added.delete(row);
    }
    for (const { storage } of removed)
      if (storage !== undefined && !prefixes.has(storage.prefix)) this.#closeUnserved(storage.prefix);
  }

  #closeUnserved(prefix: string): void {
    if (this.served.servesPrefix(prefix)) return;
    this.#stored.get(prefix)?.cache.close();
    this.#stored.delete(prefix);
  }

  /** Ends all watches of resources whose objects changed their form; clients list them again. */
  endWatches(rows: Iterable<ResourceRow>): void {
    for (const prefix of new Set([...rows].map(({ storage }) => storage?.prefix ?? '')))
      this.#stored.get(prefix)?.cache.endWatches();
  }

  /**
   * Ends the watches of one kind after the other, spread over some milliseconds.
   * @param wait resolves after some milliseconds
   */
  async endWatchesOver(milliseconds: number, wait: (milliseconds: number) => Promise<void>): Promise<void> {
    const caches = [...this.#stored.values()].map(({ cache }) => cache);
    for (const cache of caches) {
      cache.endWatches();
      await wait(milliseconds / caches.length);
    }
  }

  /** Ends all watches. @param reason undefined if clients can continue at their versions */
  endAllWatches(reason?: StoreReplacedError): void {
    for (const { cache } of this.#stored.values()) cache.endWatches(reason);
    for (const { conversion } of this.#served.values()) conversion.derived?.cache.endWatches(reason);
  }

  /** Stored resources that have been used so far. */
  get stored(): Iterable<StoredResource> {
    return this.#stored.values();
  }

  #store({ row, storedForm }: ResourceDefinition): StoredResource {
    const { prefix } = row.storage!;
    let stored = this.#stored.get(prefix);
    if (stored === undefined) {
      const { storage, eventBytes } = this.#options;
      stored = new StoredResource({ storage, prefix, kind: row.kind, form: storedForm(), eventBytes });
      this.#stored.set(prefix, stored);
    }
    return stored;
  }

  close(): void {
    for (const served of this.#served.values()) served.close();
    for (const stored of this.#stored.values()) stored.cache.close();
  }
}
