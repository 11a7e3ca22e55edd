import { type DiscoveryPriorities, preferredFirst } from './priorities.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';

/** A namespaced resource of an extension server, in its preferred version. */
export interface RemoteNamespacedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** What extension servers may have in namespaces. */
export interface RemoteNamespacedResources {
  readonly resources: readonly RemoteNamespacedResource[];
  /** `group/version` of versions whose resources are not known at present. */
  readonly undiscovered: readonly string[];
}

/** Lists the namespaced resources of extension servers that can be listed and deleted. */
export function remoteNamespacedResources(
  discovery: Pick<RemoteDiscovery, 'versions'>,
  priorities: Pick<DiscoveryPriorities, 'compareVersions'>,
): RemoteNamespacedResources {
  const found = new Map<string, RemoteNamespacedResource>();
  const undiscovered: string[] = [];
  for (const { group, version, resources = [], freshness } of preferredFirst(
    discovery.versions(),
    priorities,
  )) {
    if (freshness === 'Stale') undiscovered.push(`${group}/${version}`);
    else
      for (const { resource, scope, verbs, responseKind } of resources) {
        const key = `${group}/${resource}`;
        if (scope !== 'Namespaced' || found.has(key)) continue;
        if (!verbs.includes('list') || !(verbs.includes('delete') || verbs.includes('deletecollection')))
          continue;
        found.set(key, { group, version, resource, kind: responseKind?.kind ?? '', verbs });
      }
  }
  return { resources: [...found.values()], undiscovered };
}
