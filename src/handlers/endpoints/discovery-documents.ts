import { apiVersionOf } from '../../model/object.ts';
import type { SubresourceRow } from '../../resources/resource-set.ts';
import type { DiscoveredGroup, DiscoveredResource, DiscoveredVersion } from './discovery-source.ts';

/** Builds the discovery documents as plain data, with members in wire order. */

/** Builds `/api`. @param serverAddress `host:port`, the same for clients of every network */
export function apiVersions(versions: readonly string[], serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions,
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** Builds `/apis`. @param groups without the core group */
export function groupList(groups: readonly DiscoveredGroup[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupMembers) };
}

/** Builds `/apis/<group>`. */
export function groupDocument(group: DiscoveredGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupMembers(group) };
}

function groupMembers({ group, versions }: DiscoveredGroup): object {
  const shown = versions.map(({ version }) => ({ groupVersion: apiVersionOf(group, version), version }));
  return { name: group, versions: shown, preferredVersion: shown[0] };
}

/** Builds `/api/v1` or `/apis/<group>/<version>`: every resource, followed by its subresources. */
export function resourceList(group: string, { version, resources }: DiscoveredVersion): object {
  return {
    kind: 'APIResourceList',
    // The list of the core group has no apiVersion.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(group, version),
    resources: resources.flatMap((row) => [
      resourceEntry(row),
      ...row.subresources.map((subresource) => subresourceEntry(row, subresource)),
    ]),
  };
}

function resourceEntry({
  resource,
  singular,
  namespaced,
  kind,
  verbs,
  shortNames,
  categories,
  storage,
}: DiscoveredResource): object {
  return {
    name: resource,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(storage === undefined ? {} : { storageVersionHash: storage.versionHash }),
  };
}

function subresourceEntry(
  { resource, namespaced }: DiscoveredResource,
  { name, kind, group, version, verbs }: SubresourceRow,
): object {
  return {
    name: `${resource}/${name}`,
    singularName: '',
    namespaced,
    ...(group === undefined ? {} : { group, version }),
    kind,
    verbs,
  };
}

export type AggregatedVersion = 'v2' | 'v2beta1';

/**
 * Builds the aggregated document of `/api` or `/apis`.
 * @param metadata what an object without metadata has
 */
export function aggregated(
  groups: readonly DiscoveredGroup[],
  version: AggregatedVersion,
  metadata: object,
): object {
  return { ...aggregatedHead(version), items: groups.map((group) => aggregatedGroup(group, metadata)) };
}

/** The members of an aggregated document before its items. */
export const aggregatedHead = (version: AggregatedVersion): object => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: `apidiscovery.k8s.io/${version}`,
  metadata: {},
});

/** Builds one item of an aggregated document; it is the same in both versions. */
export function aggregatedGroup({ group, versions }: DiscoveredGroup, metadata: object): object {
  return {
    metadata: { ...(group === '' ? {} : { name: group }), ...metadata },
    versions: versions.map(({ version, resources, freshness, remote }) => {
      const shown =
        remote === undefined
          ? resources.map((resource) => aggregatedResource(resource, group, version))
          : // What an unreachable server serves is not known any more.
            freshness === 'Stale'
            ? []
            : (remote.resources ?? []);
      return { version, ...(shown.length === 0 ? {} : { resources: shown }), freshness };
    }),
  };
}

/** Kinds in the resource's own group version are written without it, unless the resource is custom. */
function aggregatedResource(
  {
    resource,
    kind,
    namespaced,
    singular,
    verbs,
    shortNames,
    categories,
    subresources,
    customKind,
  }: DiscoveredResource,
  ownGroup: string,
  ownVersion: string,
): object {
  const own =
    customKind === undefined ? { group: '', version: '' } : { group: ownGroup, version: ownVersion };
  return {
    resource,
    responseKind: { ...own, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : { subresources: subresources.map((subresource) => aggregatedSubresource(subresource, own)) }),
  };
}

function aggregatedSubresource(
  { name, kind, group, version, verbs }: SubresourceRow,
  own: { readonly group: string; readonly version: string },
): object {
  return {
    subresource: name,
    responseKind: { group: group ?? own.group, version: version ?? own.version, kind },
    verbs,
  };
}
