import type { RemoteKinds } from '../controllers/remote-kinds.ts';
import type { ServedKind, ServedKinds } from '../reconcile/scale.ts';
import type { ResourceSet } from '../resources/resource-set.ts';

/** The kinds of this server, and those of extension servers. */
export const servedKinds = (
  served: Pick<ResourceSet, 'resources' | 'groups'>,
  remote: Pick<RemoteKinds, 'preferred'>,
): ServedKinds => ({
  find(group, kind) {
    const versions = served.groups.find((one) => one.group === group)?.versions ?? [];
    const own = served.resources
      .filter((row) => row.group === group && row.kind === kind)
      .map(
        ({ version, resource, subresources }): ServedKind => ({
          group,
          version,
          resource,
          kind,
          hasScale: subresources.some(({ name }) => name === 'scale'),
        }),
      )
      .toSorted((one, other) => versions.indexOf(one.version) - versions.indexOf(other.version));
    if (own.length > 0) return own;
    return remote
      .preferred()
      .filter((one) => one.group === group && one.kind === kind)
      .map((one): ServedKind => ({ ...one, hasScale: undefined }));
  },
});
