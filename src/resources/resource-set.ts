import type { BuiltinResources, ServedPredicate } from '../kinds/builtin-resources.ts';
import type { ResourceRow } from '../kinds/resource-row.ts';
import { compareVersions } from '../kinds/version-priority.ts';

export type { ResourceRow, StorageRow, SubresourceRow, Verb } from '../kinds/resource-row.ts';

/** A group with its served versions, the preferred version first. */
export interface ServedGroup {
  readonly group: string;
  readonly versions: readonly string[];
}

const keyOf = (group: string, version: string): string => `${group}/${version}`;

/** A change of the set. */
export interface ResourceSetChange {
  readonly remove?: Iterable<ResourceRow>;
  readonly add?: Iterable<ResourceRow>;
}

/** Called after a change, with the rows that were removed and added. */
export type ResourceSetListener = (change: {
  readonly removed: readonly ResourceRow[];
  readonly added: readonly ResourceRow[];
}) => void;

/**
 * The set of served resources, with the lookups that routing, discovery and RBAC need. The set can change at
 * run time: readers compare {@link generation} or subscribe with {@link onChange}.
 */
export class ResourceSet {
  readonly #byGroupVersion = new Map<string, Map<string, ResourceRow>>();
  readonly #byKind = new Map<string, ResourceRow>();
  /** Served resources by storage prefix. */
  readonly #byPrefix = new Map<string, Set<ResourceRow>>();
  readonly #listeners = new Set<ResourceSetListener>();
  #derived:
    | { readonly groups: readonly ServedGroup[]; readonly resources: readonly ResourceRow[] }
    | undefined;
  #generation = 0;
  readonly #builtinGroups: readonly string[];

  /** @param builtinGroups in discovery order, without the core group; other groups follow them */
  constructor(rows: Iterable<ResourceRow>, builtinGroups: readonly string[] = []) {
    this.#builtinGroups = builtinGroups;
    for (const row of rows) this.#put(row);
  }

  /** Incremented by every change of the set. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Groups in discovery order without the core group: built-in groups, then other groups by name, as their
   * API services have equal priorities.
   */
  get groups(): readonly ServedGroup[] {
    return this.#derive().groups;
  }

  get resources(): readonly ResourceRow[] {
    return this.#derive().resources;
  }

  /**
   * Removes and adds resources as one change. Rows to remove that are not in the set are ignored. An added row
   * replaces the row of the same group, version and name.
   */
  change({ remove = [], add = [] }: ResourceSetChange): void {
    const change = { removed: [...remove], added: [...add] };
    for (const row of change.removed) this.#delete(row);
    for (const row of change.added) this.#put(row);
    this.#generation += 1;
    this.#derived = undefined;
    for (const listener of this.#listeners) listener(change);
  }

  /** Whether a served resource is stored under a prefix. */
  servesPrefix(prefix: string): boolean {
    return this.#byPrefix.has(prefix);
  }

  /** The served resources that are stored under a prefix: versions of one kind. */
  storedUnder(prefix: string): Iterable<ResourceRow> {
    return this.#byPrefix.get(prefix) ?? [];
  }

  /** Subscribes to changes. @returns a function that ends the subscription */
  onChange(listener: ResourceSetListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  find(group: string, version: string, resource: string): ResourceRow | undefined {
    return this.#byGroupVersion.get(keyOf(group, version))?.get(resource);
  }

  findKind(group: string, version: string, kind: string): ResourceRow | undefined {
    return this.#byKind.get(`${keyOf(group, version)}/${kind}`);
  }

  /** Returns whether any resource of a group version is served. */
  hasGroupVersion(group: string, version: string): boolean {
    return this.#byGroupVersion.has(keyOf(group, version));
  }

  hasGroup(group: string): boolean {
    return group === '' ? this.hasGroupVersion('', 'v1') : this.groups.some((one) => one.group === group);
  }

  /** Returns whether a group is served that has fixed paths: its unknown paths are answered with a Status. */
  hasBuiltinGroup(group: string): boolean {
    return this.#builtinGroups.includes(group) && this.hasGroup(group);
  }

  resourcesOf(group: string, version: string): readonly ResourceRow[] {
    return [...(this.#byGroupVersion.get(keyOf(group, version))?.values() ?? [])];
  }

  #put(row: ResourceRow): void {
    const key = keyOf(row.group, row.version);
    let resources = this.#byGroupVersion.get(key);
    if (resources === undefined) {
      resources = new Map();
      this.#byGroupVersion.set(key, resources);
    }
    const replaced = resources.get(row.resource);
    if (replaced !== undefined) {
      this.#byKind.delete(`${key}/${replaced.kind}`);
      this.#removePrefix(replaced);
    }
    resources.set(row.resource, row);
    this.#byKind.set(`${key}/${row.kind}`, row);
    this.#addPrefix(row);
  }

  #delete(row: ResourceRow): void {
    const key = keyOf(row.group, row.version);
    const resources = this.#byGroupVersion.get(key);
    if (resources?.get(row.resource) !== row) return;
    resources.delete(row.resource);
    if (resources.size === 0) this.#byGroupVersion.delete(key);
    this.#byKind.delete(`${key}/${row.kind}`);
    this.#removePrefix(row);
  }

  #addPrefix(row: ResourceRow): void {
    if (row.storage === undefined) return;
    const { prefix } = row.storage;
    const known = this.#byPrefix.get(prefix);
    if (known === undefined) this.#byPrefix.set(prefix, new Set([row]));
    else known.add(row);
  }

  #removePrefix(row: ResourceRow): void {
    if (row.storage === undefined) return;
    const { prefix } = row.storage;
    const known = this.#byPrefix.get(prefix);
    if (known?.delete(row) === true && known.size === 0) this.#byPrefix.delete(prefix);
  }

  #derive(): { readonly groups: readonly ServedGroup[]; readonly resources: readonly ResourceRow[] } {
    this.#derived ??= {
      groups: this.#servedGroups(),
      resources: [...this.#byGroupVersion.values()].flatMap((resources) => [...resources.values()]),
    };
    return this.#derived;
  }

  #servedGroups(): ServedGroup[] {
    const served = new Map<string, string[]>(this.#builtinGroups.map((group) => [group, []]));
    for (const key of this.#byGroupVersion.keys()) {
      const slash = key.lastIndexOf('/');
      const group = key.slice(0, slash);
      if (group === '') continue;
      const versions = served.get(group);
      if (versions === undefined) served.set(group, [key.slice(slash + 1)]);
      else versions.push(key.slice(slash + 1));
    }
    const groups = [...served];
    const others = groups.splice(this.#builtinGroups.length);
    others.sort(([left], [right]) => (left < right ? -1 : 1));
    return [...groups, ...others]
      .filter(([, versions]) => versions.length > 0)
      .map(([group, versions]) => ({ group, versions: versions.sort(compareVersions) }));
  }
}

/** Creates the set of the served built-in resources; default: all that are not optional. */
export const servedResources = (
  builtin: BuiltinResources,
  isServed: ServedPredicate = ({ optional }) => !optional,
): ResourceSet => new ResourceSet(builtin.rows.filter(isServed), builtin.groups);
