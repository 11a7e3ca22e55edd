import type { Kind } from '../controllers/garbage-collector/objects.ts';
import { parseApiVersion } from '../model/object.ts';
import type { ResourceRow, ResourceSet, Verb } from '../resources/resource-set.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import { type MetadataReader, metadataReader } from './stored-metadata.ts';

const REQUIRED_VERBS: readonly Verb[] = ['get', 'list', 'watch', 'delete'];

/** A kind of stored objects in whatever versions it is served; it stays the same while they change. */
export class TrackedKind implements Kind {
  readonly store: string;
  /** Key prefix of its objects. */
  readonly prefix: string;
  readonly metadataOf: MetadataReader;
  /** Whether only deletions are reported: events are many and short-lived, and never garbage-collected. */
  readonly deletionsOnly: boolean;
  /** Keys that changed while its objects are listed; undefined at other times. */
  changed: Set<string> | undefined;
  /** The version that requests use: the storage version, if it is served. */
  resource: ResourceRow;

  constructor(row: ResourceRow) {
    const storage = row.storage!;
    this.resource = row;
    this.store = storage.prefix;
    this.prefix = `${REGISTRY_ROOT}${storage.prefix}/`;
    this.metadataOf = metadataReader(storage);
    this.deletionsOnly = row.resource === 'events';
  }

  get namespaced(): boolean {
    return this.resource.namespaced;
  }
}

/** The kinds of a set of resources whose objects can be owners and dependents, by storage prefix. */
export class TrackedKinds {
  readonly #resources: ResourceSet;
  readonly #byStore = new Map<string, TrackedKind>();

  constructor(resources: ResourceSet) {
    this.#resources = resources;
    for (const { storage } of resources.resources) if (storage !== undefined) this.update(storage.prefix);
  }

  /** All kinds; kinds that are added during the iteration are visited too. */
  get all(): Iterable<TrackedKind> {
    return this.#byStore.values();
  }

  get(store: string): TrackedKind | undefined {
    return this.#byStore.get(store);
  }

  /** Follows a change of the resources under a prefix. A kind that is no longer served stays tracked. */
  update(store: string): 'added' | 'kept' | 'unserved' | 'untracked' {
    const row = preferredRow(this.#resources.storedUnder(store), isTracked);
    const known = this.#byStore.get(store);
    if (row === undefined) return known === undefined ? 'untracked' : 'unserved';
    if (known === undefined) {
      this.#byStore.set(store, new TrackedKind(row));
      return 'added';
    }
    known.resource = row;
    return 'kept';
  }

  delete(store: string): void {
    this.#byStore.delete(store);
  }

  /** The kind of an owner reference, if it is served. */
  findKind(apiVersion: string, kind: string): TrackedKind | undefined {
    const parsed = parseApiVersion(apiVersion);
    const row = parsed && this.#resources.findKind(parsed.group, parsed.version, kind);
    return row !== undefined && isTracked(row) ? this.#byStore.get(row.storage!.prefix) : undefined;
  }

  /** The kind of a stored key. Prefixes have one segment or two. */
  ofKey(key: string): TrackedKind | undefined {
    const first = key.indexOf('/', REGISTRY_ROOT.length);
    if (first < 0) return undefined;
    const found = this.#byStore.get(key.slice(REGISTRY_ROOT.length, first));
    if (found !== undefined) return found;
    const second = key.indexOf('/', first + 1);
    return second < 0 ? undefined : this.#byStore.get(key.slice(REGISTRY_ROOT.length, second));
  }
}

const isTracked = ({ storage, verbs }: ResourceRow): boolean =>
  storage !== undefined && REQUIRED_VERBS.every((verb) => verbs.includes(verb));

/** The accepted resource in the storage version, which needs no conversion; else the first accepted one. */
export function preferredRow(
  rows: Iterable<ResourceRow>,
  accepts: (row: ResourceRow) => boolean,
): ResourceRow | undefined {
  let first: ResourceRow | undefined;
  for (const row of rows) {
    if (!accepts(row)) continue;
    if (row.group === row.storage!.group && row.version === row.storage!.version) return row;
    first ??= row;
  }
  return first;
}
