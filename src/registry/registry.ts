import { EncodingCache } from '../cache/encoding-cache.ts';
import { apiVersionOf, parseApiVersion } from '../model/object.ts';
import { kindType } from '../model/scheme.ts';
import type { Storage } from '../storage/storage.ts';
import { BUILTIN_RESOURCES, builtinResources, type ServedPredicate } from './builtin-resources.ts';
import { builtinSchema } from './object-schema.ts';
import { type ResourceRow, ResourceSet } from './resource-set.ts';
import { ServedResource } from './served-resource.ts';
import { StoredResource } from './stored-resource.ts';
import type { Strategy } from './strategy.ts';
import { tableOf } from './tables/index.ts';
import { BuiltinConversion } from './version-conversion.ts';

export interface RegistryOptions {
  readonly storage: Storage;
  readonly isServed?: ServedPredicate;
  /** Strategies by group, then resource. */
  readonly strategies: StrategyTable;
  /** Size of the watch event ring buffer per resource, in bytes; 0 for `--watch-cache=false`. */
  readonly eventBytes: number;
  /** Size of the encoding cache over all resources, in bytes. */
  readonly encodingCacheBytes: number;
}

export type StrategyTable = (group: string, resource: string) => Strategy;

/** Registry of stored resources by prefix, and of served resources by group, version and resource. */
export class Registry {
  /** The served resources. They change with {@link remove} and with the set's own `add`. */
  readonly resources: ResourceSet;
  readonly encodingCache: EncodingCache;
  readonly #stored = new Map<string, StoredResource>();
  readonly #served = new Map<ResourceRow, ServedResource>();
  readonly #options: RegistryOptions;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.resources = new ResourceSet(builtinResources(options.isServed));
    this.encodingCache = new EncodingCache(options.encodingCacheBytes);
  }

  /** Returns the resource served at a group version; undefined when it is not served or is virtual. */
  find(group: string, version: string, resource: string): ServedResource | undefined {
    const row = this.resources.find(group, version, resource);
    return row === undefined || row.storage === undefined ? undefined : this.serve(row);
  }

  /** @param row row of a stored resource, served or not */
  serve(row: ResourceRow): ServedResource {
    let served = this.#served.get(row);
    if (served === undefined) {
      const apiVersion = apiVersionOf(row.group, row.version);
      const stored = this.#store(row);
      const strategy = this.#options.strategies(row.group, row.resource);
      served = new ServedResource(
        row,
        builtinSchema(row.group, row.version, row.kind)!,
        tableOf(row.group, row.resource),
        stored,
        strategy,
        new BuiltinConversion(row, apiVersion, stored, strategy, (other) => this.#inVersion(row, other)),
        this.encodingCache,
      );
      this.#served.set(row, served);
    }
    return served;
  }

  /** Returns the same stored kind in another version. */
  #inVersion({ storage, kind }: ResourceRow, apiVersion: string): ServedResource | undefined {
    const parsed = parseApiVersion(apiVersion);
    if (parsed === undefined) return undefined;
    const { group, version } = parsed;
    const row = BUILTIN_RESOURCES.find(
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
    const row = BUILTIN_RESOURCES.find(
      (one) => one.group === group && one.resource === resource && one.storage !== undefined,
    );
    if (row === undefined) throw new Error(`no stored resource ${resource} in group "${group}"`);
    return this.serve(row);
  }

  /**
   * Stops serving resources. Stored objects remain. Closes the cache of each prefix that is no longer served,
   * which ends its watches. Requests in flight continue to completion.
   */
  remove(rows: Iterable<ResourceRow>): void {
    const removed = [...rows];
    this.resources.remove(removed);
    const prefixes = new Set(this.resources.resources.map(({ storage }) => storage?.prefix));
    for (const row of removed) {
      this.#served.delete(row);
      const prefix = row.storage?.prefix;
      if (prefix === undefined || prefixes.has(prefix)) continue;
      this.#stored.get(prefix)?.cache.close();
      this.#stored.delete(prefix);
    }
  }

  /** Stored resources that have been used so far. */
  get stored(): Iterable<StoredResource> {
    return this.#stored.values();
  }

  #store(row: ResourceRow): StoredResource {
    const storage = row.storage!;
    let stored = this.#stored.get(storage.prefix);
    if (stored === undefined) {
      const type =
        kindType(storage.group, storage.version, row.kind) ?? kindType(row.group, row.version, row.kind)!;
      stored = new StoredResource({
        storage: this.#options.storage,
        row: storage,
        kind: row.kind,
        namespaced: row.namespaced,
        type,
        strategy: this.#options.strategies(storage.group, row.resource),
        eventBytes: this.#options.eventBytes,
      });
      this.#stored.set(storage.prefix, stored);
    }
    return stored;
  }

  close(): void {
    for (const stored of this.#stored.values()) stored.cache.close();
  }
}
