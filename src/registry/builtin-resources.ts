import { BUILTIN_GROUPS } from './builtin/index.ts';
import type { BuiltinDependencies, BuiltinResource } from './builtin-resource.ts';
import type { GatePredicate, ResourceRow } from './resource-row.ts';
import { ResourceSet } from './resource-set.ts';
import type { Strategy } from './strategy.ts';
import { compareVersions } from './version-priority.ts';

/** The resource of each row; rows with the subresources of feature gates live as long as their registry. */
const RESOURCE_OF = new WeakMap<ResourceRow, BuiltinResource>();

/** The built-in resources of one group, by version; the preferred version first. */
function rowsOfGroup(resources: readonly BuiltinResource[], isOn: GatePredicate): ResourceRow[] {
  const rows = resources.flatMap((resource) => {
    const own = resource.rowsWith(isOn);
    for (const row of own) RESOURCE_OF.set(row, resource);
    return own;
  });
  const versions = [...new Set(rows.map(({ version }) => version))].sort(compareVersions);
  return versions.flatMap((version) => rows.filter((row) => row.version === version));
}

const RESOURCES = BUILTIN_GROUPS.flat();
const BY_NAME: ReadonlyMap<string, BuiltinResource> = new Map(
  RESOURCES.map((resource) => [`${resource.group}/${resource.resource}`, resource]),
);

/** Returns the rows of all built-in resources, served or not, in the order of discovery. */
export const builtinRows = (isOn: GatePredicate): readonly ResourceRow[] =>
  BUILTIN_GROUPS.flatMap((resources) => rowsOfGroup(resources, isOn));

/** The rows of all built-in resources, served or not, without the subresources of feature gates. */
export const BUILTIN_RESOURCES: readonly ResourceRow[] = builtinRows(() => false);

/** Returns whether a built-in resource is served. */
export type ServedPredicate = (row: ResourceRow) => boolean;

/** Returns the served built-in resources; default: all that are not optional. */
export function builtinResources(isServed: ServedPredicate = ({ optional }) => !optional): ResourceRow[] {
  return BUILTIN_RESOURCES.filter(isServed);
}

/**
 * Creates the set of the served built-in resources.
 * @param isServed default: all that are not optional
 * @param rows of all of them; default: without the subresources of feature gates
 */
export function builtinResourceSet(
  isServed: ServedPredicate = ({ optional }) => !optional,
  rows: readonly ResourceRow[] = BUILTIN_RESOURCES,
): ResourceSet {
  return new ResourceSet(
    rows.filter(isServed),
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
