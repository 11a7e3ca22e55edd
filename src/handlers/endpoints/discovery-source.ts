import type { ResourceRow, ResourceSet } from '../../resources/resource-set.ts';
import type { UnreadableKinds } from '../../resources/unreadable-kinds.ts';

/** A resource in discovery: a stored resource, or one of an extension server. */
export type DiscoveredResource = Pick<
  ResourceRow,
  'resource' | 'kind' | 'singular' | 'namespaced' | 'verbs' | 'shortNames' | 'categories' | 'subresources'
> & {
  readonly storage?: { readonly versionHash: string } | undefined;
  readonly customKind?: object;
};

export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
  /** Whether the list is up to date; `Stale` for an unreachable extension server and unreadable definitions. */
  readonly freshness: 'Current' | 'Stale';
  /**
   * Set for a version of an extension server, which serves its own resource list: its resources in the form of
   * aggregated discovery, undefined if they are not known.
   */
  readonly remote?: { readonly resources: readonly object[] | undefined };
  /** Set for a version whose resources are not known: the error of its resource list. */
  readonly problem?: Error;
}

/** A group with its versions, the preferred one first. The core group's name is empty. */
export interface DiscoveredGroup {
  readonly group: string;
  readonly versions: readonly DiscoveredVersion[];
}

/** A provider of discovery groups: the catalog, custom resources or extension servers. */
export interface DiscoverySource {
  /** Increases with every change of {@link groups}. */
  readonly generation: number;
  /** In discovery order. */
  groups(): readonly DiscoveredGroup[];
}

/** The groups of the stored resources, whose resources are rows. */
export interface ResourceSetSource {
  readonly generation: number;
  groups(): readonly {
    readonly group: string;
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly ResourceRow[];
      readonly freshness: 'Current';
    }[];
  }[];
}

/** The groups of the stored resources. */
export function resourceSetSource(resources: ResourceSet): ResourceSetSource {
  const groupOf = (group: string, versions: readonly string[]) => ({
    group,
    versions: versions.map((version) => ({
      version,
      resources: resources.resourcesOf(group, version),
      freshness: 'Current' as const,
    })),
  });
  return new GroupsOf(
    () => resources.generation,
    () => [
      ...(resources.hasGroup('') ? [groupOf('', ['v1'])] : []),
      ...resources.groups.map(({ group, versions }) => groupOf(group, versions)),
    ],
  );
}

/** A discovery source whose generation and groups are functions. */
export class GroupsOf<Group> {
  /** The groups at present. */
  readonly groups: () => readonly Group[];
  readonly #generation: () => number;

  constructor(generation: () => number, groups: () => readonly Group[]) {
    this.#generation = generation;
    this.groups = groups;
  }

  /** Increases when the groups change. */
  get generation(): number {
    return this.#generation();
  }
}

/**
 * The registered versions of groups with a definition that cannot be read. Those without any resource that can
 * be read are stale: clients must not take their kinds for deleted.
 */
export const unreadableSource = (
  unreadable: Pick<UnreadableKinds, 'generation' | 'groups' | 'errorInGroup'>,
  registered: { readonly registrations: number; versionsOf(group: string): readonly string[] },
): DiscoverySource =>
  new GroupsOf(
    () => unreadable.generation + registered.registrations,
    () =>
      [...unreadable.groups()].flatMap((group) => {
        const problem = unreadable.errorInGroup(group)!;
        const versions = registered
          .versionsOf(group)
          .map((version) => ({ version, resources: [], freshness: 'Stale' as const, problem }));
        return versions.length === 0 ? [] : [{ group, versions }];
      }),
  );

/** The order of groups and versions, of the priorities of APIServices. */
export interface DiscoveryOrder {
  /** Increases when the order may have changed. */
  readonly generation: number;
  compareGroups(left: string, right: string): number;
  compareVersions(group: string, left: string, right: string): number;
}

/** Merges the groups of all sources and sorts them. */
export function orderedGroups(
  sources: readonly DiscoverySource[],
  order?: DiscoveryOrder,
): DiscoveredGroup[] {
  const groups = mergeGroups(sources);
  if (order === undefined) return groups;
  return groups
    .map(({ group, versions }) => ({
      group,
      versions: [...versions].sort((left, right) =>
        order.compareVersions(group, left.version, right.version),
      ),
    }))
    .sort((left, right) => order.compareGroups(left.group, right.group));
}

/**
 * Merges the groups of all sources in order. A group that several sources serve has the versions of all; each
 * version comes from the first source that serves it.
 */
export function mergeGroups(sources: readonly DiscoverySource[]): DiscoveredGroup[] {
  const merged = new Map<string, DiscoveredVersion[]>();
  for (const source of sources) {
    for (const { group, versions } of source.groups()) {
      const known = merged.get(group) ?? [];
      merged.set(group, [
        ...known,
        ...versions.filter(({ version }) => !known.some((one) => one.version === version)),
      ]);
    }
  }
  return [...merged].map(([group, versions]) => ({ group, versions }));
}
