import { apiVersionOf } from '../../model/object.ts';
import type { SubresourceRow } from '../../registry/resource-set.ts';
import type { DiscoveredGroup, DiscoveredResource, DiscoveredVersion } from './discovery-source.ts';

/** The documents of discovery as plain data, members in the order of the wire. */

/** `/api`. @param serverAddress `host:port` that clients of any network may use */
export function apiVersions(versions: readonly string[], serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions,
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`. @param groups without the core group */
export function groupList(groups: readonly DiscoveredGroup[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupMembers) };
}

/** `/apis/<group>`. */
export function groupDocument(group: DiscoveredGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupMembers(group) };
}

function groupMembers({ group, versions }: DiscoveredGroup): object {
  const shown = versions.map(({ version }) => ({ groupVersion: apiVersionOf(group, version), version }));
  return { name: group, versions: shown, preferredVersion: shown[0] };
}

/** `/api/v1` and `/apis/<group>/<version>`: every resource, followed by its subresources. */
export function resourceList(group: string, { version, resources }: DiscoveredVersion): object {
  return {
    kind: 'APIResourceList',
    // The core group's list has never had one.
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

/** All of `/api` or of `/apis` in one document. */
export function aggregated(groups: readonly DiscoveredGroup[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(aggregatedGroup),
  };
}

function aggregatedGroup({ group, versions }: DiscoveredGroup): object {
  return {
    metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
    versions: versions.map(({ version, resources, freshness }) => ({
      version,
      ...(resources.length === 0 ? {} : { resources: resources.map(aggregatedResource) }),
      freshness,
    })),
  };
}

function aggregatedResource({
  resource,
  kind,
  namespaced,
  singular,
  verbs,
  shortNames,
  categories,
  subresources,
}: DiscoveredResource): object {
  return {
    resource,
    responseKind: { group: '', version: '', kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources: subresources.map(aggregatedSubresource) }),
  };
}

/** Kinds of the resource's own group version are named without it. */
function aggregatedSubresource({ name, kind, group = '', version = '', verbs }: SubresourceRow): object {
  return { subresource: name, responseKind: { group, version, kind }, verbs };
}
