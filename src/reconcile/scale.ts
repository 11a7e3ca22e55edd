import type { Scale } from '../model/generated/autoscaling-v1.ts';
import { apiVersionOf } from '../model/object.ts';
import type { Client, Resource } from './client.ts';

/** A kind in one version that it is served in. */
export interface ServedKind extends Resource {
  /** Whether it has the subresource `scale`; undefined for a kind of an extension server, which does not say. */
  readonly hasScale: boolean | undefined;
}

/** The kinds that are served at present, also custom ones and those of extension servers. */
export interface ServedKinds {
  /** A kind in all versions that it is served in, the preferred one first. */
  find(group: string, kind: string): readonly ServedKind[];
}

/** The text of a lookup that finds no kind. @param version without one, any version would have done */
export const noMatches = (group: string, kind: string, version?: string): Error =>
  new Error(
    version === undefined
      ? `no matches for kind "${kind}" in group "${group}"`
      : `no matches for kind "${kind}" in version "${apiVersionOf(group, version)}"`,
  );

/** The scale of an object; undefined if there is no such object, or it has no scale. @throws ApiError */
export const readScale = async (
  client: Pick<Client, 'get'>,
  kind: Resource,
  namespace: string,
  name: string,
): Promise<Scale | undefined> =>
  (await client.get(kind, namespace, name, { subresource: 'scale' })) as Scale | undefined;
