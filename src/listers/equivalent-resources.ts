import type { EquivalentResource, EquivalentResources } from '../admission/listers.ts';
import type { ResourceRow, ResourceSet } from '../resources/resource-set.ts';

/** Finds the served versions of resources; what is found is kept until the set of resources changes. */
export function equivalentResources(resources: ResourceSet): EquivalentResources {
  let generation = -1;
  let byStorage = new Map<string, ResourceRow[]>();
  let versions = new Map<string, string[]>();

  const refresh = (): void => {
    if (generation === resources.generation) return;
    generation = resources.generation;
    byStorage = new Map();
    versions = new Map();
    for (const row of resources.resources) {
      add(byStorage, storageKey(row), row);
      add(versions, `${row.group}/${row.resource}`, row.version);
    }
  };
  return {
    get generation() {
      return resources.generation;
    },
    of({ group, version, resource }, subresource) {
      refresh();
      const row = resources.find(group, version, resource);
      if (row === undefined) return [];
      return byStorage.get(storageKey(row))!.flatMap((one) => equivalentOf(one, subresource));
    },
    versionsOf(group, resource) {
      refresh();
      return versions.get(`${group}/${resource}`) ?? [];
    },
  };
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
