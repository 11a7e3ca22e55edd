import type { EquivalentResource, EquivalentResources } from '../admission/listers.ts';
import type { ResourceRow, ResourceSet } from '../resources/resource-set.ts';

/** Finds the served versions of resources; what is found is kept until the set of resources changes. */
export const equivalentResources = (resources: ResourceSet): EquivalentResources =>
  new Equivalents(resources);

class Equivalents implements EquivalentResources {
  readonly #resources: ResourceSet;
  #generation = -1;
  #byStorage = new Map<string, ResourceRow[]>();
  #versions = new Map<string, string[]>();

  constructor(resources: ResourceSet) {
    this.#resources = resources;
  }

  get generation(): number {
    return this.#resources.generation;
  }

  of(
    ...[{ group, version, resource }, subresource]: Parameters<EquivalentResources['of']>
  ): EquivalentResource[] {
    this.#refresh();
    const row = this.#resources.find(group, version, resource);
    if (row === undefined) return [];
    return this.#byStorage.get(storageKey(row))!.flatMap((one) => equivalentOf(one, subresource));
  }

  versionsOf(group: string, resource: string): readonly string[] {
    this.#refresh();
    return this.#versions.get(`${group}/${resource}`) ?? [];
  }

  #refresh(): void {
    if (this.#generation === this.generation) return;
    this.#generation = this.generation;
    this.#byStorage = new Map();
    this.#versions = new Map();
    for (const row of this.#resources.resources) {
      add(this.#byStorage, storageKey(row), row);
      add(this.#versions, `${row.group}/${row.resource}`, row.version);
    }
  }
}

/** Kinds without storage are equivalent to themselves only. */
const storageKey = ({ storage, group, resource }: ResourceRow): string =>
  storage === undefined ? `virtual ${group}/${resource}` : storage.prefix;

function equivalentOf(row: ResourceRow, subresource: string): EquivalentResource[] {
  const { group, version, resource, kind } = row;
  if (subresource === '') return [{ resource: { group, version, resource }, kind: { group, version, kind } }];
  const below = row.subresources.find(({ name }) => name === subresource);
  if (below === undefined) return [];
  return [
    {
      resource: { group, version, resource },
      kind: { group: below.group ?? group, version: below.version ?? version, kind: below.kind },
    },
  ];
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
