import { BUILTIN_GROUPS } from './builtin/index.ts';
import type { BuiltinDependencies, BuiltinResource } from './builtin-resource.ts';
import type { ResourceRow } from './resource-row.ts';
import { ResourceSet } from './resource-set.ts';
import type { Strategy } from './strategy.ts';
import { compareVersions } from './version-priority.ts';

/** The built-in resources of one group, by version; the preferred version first. */
function rowsOfGroup(resources: readonly BuiltinResource[]): ResourceRow[] {
  const rows = resources.flatMap((resource) => resource.rows);
  const versions = [...new Set(rows.map(({ version }) => version))].sort(compareVersions);
  return versions.flatMap((version) => rows.filter((row) => row.version === version));
}

const RESOURCES = BUILTIN_GROUPS.flat();
const RESOURCE_OF: ReadonlyMap<ResourceRow, BuiltinResource> = new Map(
  RESOURCES.flatMap((resource) => resource.rows.map((row) => [row, resource] as const)),
);
const BY_NAME: ReadonlyMap<string, BuiltinResource> = new Map(
  RESOURCES.map((resource) => [`${resource.group}/${resource.resource}`, resource]),
);

/** The rows of all built-in resources, served or not, in the order of discovery. */
export const BUILTIN_RESOURCES: readonly ResourceRow[] = BUILTIN_GROUPS.flatMap(rowsOfGroup);

/** Returns whether a built-in resource is served. */
export type ServedPredicate = (row: ResourceRow) => boolean;

/** Returns the served built-in resources; default: all that are not optional. */
export function builtinResources(isServed: ServedPredicate = ({ optional }) => !optional): ResourceRow[] {
  return BUILTIN_RESOURCES.filter(isServed);
}

/** Creates the set of the served built-in resources. */
export function builtinResourceSet(isServed?: ServedPredicate): ResourceSet {
  return new ResourceSet(
    builtinResources(isServed),
    BUILTIN_GROUPS.map(([first]) => first!.group).filter((group) => group !== ''),
  );
}

/** Returns the resource that a row belongs to; undefined for the row of a custom resource. */
export const builtinResourceOf = (row: ResourceRow): BuiltinResource | undefined => RESOURCE_OF.get(row);

/** Returns a built-in resource by its name; undefined when there is none. */
export const findBuiltinResource = (group: string, resource: string): BuiltinResource | undefined =>
  BY_NAME.get(`${group}/${resource}`);

/** Returns the texts of `kubectl explain` of all built-in kinds. */
export const builtinDescriptions = (): Readonly<Record<string, string>>[] =>
  RESOURCES.map(({ descriptions }) => descriptions);

/** Returns the strategies of built-in resources with the given dependencies, each created on first use. */
export function builtinStrategies(
  dependencies: BuiltinDependencies,
): (resource: BuiltinResource) => Strategy {
  const created = new Map<BuiltinResource, Strategy>();
  return (resource) => {
    let strategy = created.get(resource);
    if (strategy === undefined) {
      strategy = resource.strategy(dependencies);
      created.set(resource, strategy);
    }
    return strategy;
  };
}
