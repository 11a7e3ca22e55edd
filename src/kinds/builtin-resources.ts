import type { Scheme } from '../model/scheme.ts';
import type { BuiltinDependencies, BuiltinResource } from './builtin-resource.ts';
import { BUILTIN_GROUPS } from './index.ts';
import type { GatePredicate, ResourceRow } from './resource-row.ts';
import type { Strategy } from './strategy.ts';
import { type TableDefinition, tableIn } from './table.ts';
import { compareVersions } from './version-priority.ts';

/** Returns whether a built-in resource is served. */
export type ServedPredicate = (row: ResourceRow) => boolean;

/** The rows of the resources of one group, by version; the preferred version first. */
function rowsOfGroup(rows: readonly ResourceRow[]): ResourceRow[] {
  const versions = [...new Set(rows.map(({ version }) => version))].sort(compareVersions);
  return versions.flatMap((version) => rows.filter((row) => row.version === version));
}

/** The built-in resources of one release. Immutable, apart from the tables that it keeps. */
export class BuiltinResources {
  /** The rows of all resources, served or not, in the order of discovery. */
  readonly rows: readonly ResourceRow[];
  /** Stored values that were found to have the form in which the release writes them: forks of a store share them. */
  readonly written = new WeakSet<Uint8Array>();
  readonly #scheme: Scheme;
  readonly #isOn: GatePredicate;
  readonly #groups: readonly (readonly BuiltinResource[])[];
  readonly #resources: readonly BuiltinResource[];
  readonly #resourceOf: ReadonlyMap<ResourceRow, BuiltinResource>;
  readonly #byName: ReadonlyMap<string, BuiltinResource>;
  readonly #gated = new WeakMap<GatePredicate, BuiltinResources>();
  readonly #tables = new Map<BuiltinResource, TableDefinition>();

  /**
   * @param groups the resources of each group, in the order of discovery; those that the release does not have are
   * left out
   * @param isOn the feature gates; default: those of the release
   */
  constructor(
    scheme: Scheme,
    groups: readonly (readonly BuiltinResource[])[],
    isOn: GatePredicate = scheme.isOnByDefault,
  ) {
    this.#scheme = scheme;
    this.#isOn = isOn;
    const rowsOf = new Map(
      groups.flat().map((resource) => [resource, resource.rowsIn(scheme, isOn)] as const),
    );
    this.#groups = groups
      .map((resources) => resources.filter((resource) => rowsOf.get(resource)!.length > 0))
      .filter((resources) => resources.length > 0);
    this.#resources = this.#groups.flat();
    this.rows = this.#groups.flatMap((resources) =>
      rowsOfGroup(resources.flatMap((resource) => rowsOf.get(resource)!)),
    );
    this.#resourceOf = new Map(
      [...rowsOf].flatMap(([resource, rows]) => rows.map((row) => [row, resource] as const)),
    );
    this.#byName = new Map(
      this.#resources.map((resource) => [`${resource.group}/${resource.resource}`, resource]),
    );
  }

  /**
   * Returns the resources with the subresources of the feature gates that are on: the same ones for the same predicate,
   * which clusters of one configuration share.
   */
  withGates(isOn: GatePredicate): BuiltinResources {
    let gated = this.#gated.get(isOn);
    if (gated === undefined) {
      gated = this.#withGates(isOn);
      this.#gated.set(isOn, gated);
    }
    return gated;
  }

  #withGates(isOn: GatePredicate): BuiltinResources {
    const names = (rows: readonly ResourceRow[]) =>
      rows.flatMap(({ subresources }) => subresources.map(({ name }) => name)).join();
    const differs = this.#resources.some(
      (resource) =>
        names(resource.rowsIn(this.#scheme, isOn)) !== names(resource.rowsIn(this.#scheme, this.#isOn)),
    );
    return differs ? new BuiltinResources(this.#scheme, this.#groups, isOn) : this;
  }

  /** The groups in the order of discovery, without the core group. */
  get groups(): readonly string[] {
    return this.#groups.map(([first]) => first!.group).filter((group) => group !== '');
  }

  /** Returns the resource that a row belongs to; undefined for the row of a custom resource. */
  resourceOf(row: ResourceRow): BuiltinResource | undefined {
    return this.#resourceOf.get(row);
  }

  /** Returns a resource by its name; undefined when there is none. */
  find(group: string, resource: string): BuiltinResource | undefined {
    return this.#byName.get(`${group}/${resource}`);
  }

  /** Returns the table of a resource in this release. */
  tableOf(resource: BuiltinResource): TableDefinition {
    let table = this.#tables.get(resource);
    if (table === undefined) {
      table = tableIn(this.#scheme, resource.table);
      this.#tables.set(resource, table);
    }
    return table;
  }
}

const known = new WeakMap<Scheme, BuiltinResources>();

/** Returns the built-in resources of a release; one for the process. */
export function builtinResourcesOf(scheme: Scheme): BuiltinResources {
  let resources = known.get(scheme);
  if (resources === undefined) {
    resources = new BuiltinResources(scheme, BUILTIN_GROUPS);
    known.set(scheme, resources);
  }
  return resources;
}

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
