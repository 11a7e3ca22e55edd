import type { ResourceRow, ResourceSet } from '../../registry/resource-set.ts';

/** What discovery shows of a resource: a resource of the registry, or one of an extension server. */
export type DiscoveredResource = Pick<
  ResourceRow,
  'resource' | 'kind' | 'singular' | 'namespaced' | 'verbs' | 'shortNames' | 'categories' | 'subresources'
> & {
  readonly storage?: { readonly versionHash: string } | undefined;
};

export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
  /** Whether the list is up to date; that of an unreachable extension server isn't. */
  readonly freshness: 'Current' | 'Stale';
}

/** A group with its versions, the preferred one first. The core group's name is empty. */
export interface DiscoveredGroup {
  readonly group: string;
  readonly versions: readonly DiscoveredVersion[];
}

/** Who adds groups to discovery: the catalog, custom resources, extension servers. */
export interface DiscoverySource {
  /** Raised by every change of {@link groups}. */
  readonly generation: number;
  /** In discovery order. */
  groups(): readonly DiscoveredGroup[];
}

/** The groups of the registry. */
export function resourceSetSource(resources: ResourceSet): DiscoverySource {
  const groupOf = (group: string, versions: readonly string[]): DiscoveredGroup => ({
    group,
    versions: versions.map((version) => ({
      version,
      resources: resources.resourcesOf(group, version),
      freshness: 'Current',
    })),
  });
  return {
    get generation() {
      return resources.generation;
    },
    groups: () => [
      ...(resources.hasGroup('') ? [groupOf('', ['v1'])] : []),
      ...resources.groups.map(({ group, versions }) => groupOf(group, versions)),
    ],
  };
}

/**
 * The groups of all sources in their order; versions of a group that several sources have come together, each
 * version from the first that has it.
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
