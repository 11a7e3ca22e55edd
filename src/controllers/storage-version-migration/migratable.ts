import { apiRootOf, apiVersionOf } from '../../model/object.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import { ApiError } from '../../status/index.ts';

/** A resource whose objects can be migrated, or why they cannot. */
export interface Migratable {
  readonly resource: Resource;
  readonly isNamespaced: boolean;
  /** Why its objects cannot be migrated; undefined if they can. */
  readonly problem?: string;
}

const VERBS = ['update', 'patch', 'list'];

interface Discovered {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/**
 * Finds a resource in discovery, in the preferred version of its group or the first one that has it. Undefined if no
 * version has it.
 * @throws ApiError when discovery fails
 */
export async function findMigratable(
  client: Client,
  group: string,
  resource: string,
): Promise<Migratable | undefined> {
  for (const version of await versionsOf(client, group)) {
    const list = (await readIfServed(client, apiRootOf(group, version))) as
      | { readonly resources?: readonly Discovered[] }
      | undefined;
    const found = list?.resources?.find(({ name }) => name === resource);
    if (found === undefined) continue;
    const name = `${apiVersionOf(group, version)}, Resource=${resource}`;
    return {
      resource: { group, version, resource, kind: found.kind },
      isNamespaced: found.namespaced,
      ...(VERBS.every((verb) => found.verbs.includes(verb))
        ? {}
        : { problem: `resource "${name}" does not support discovery operations: [${VERBS.join(' ')}]` }),
    };
  }
  return undefined;
}

/** The versions of a group, the preferred one first. */
async function versionsOf(client: Client, group: string): Promise<readonly string[]> {
  if (group === '') return ['v1'];
  const found = (await readIfServed(client, `/apis/${encodeURIComponent(group)}`)) as
    | {
        readonly versions?: readonly { readonly version: string }[];
        readonly preferredVersion?: { readonly version: string };
      }
    | undefined;
  const versions = found?.versions?.map(({ version }) => version) ?? [];
  return [...new Set([found?.preferredVersion?.version ?? [], ...versions].flat())];
}

async function readIfServed(client: Client, path: string): Promise<unknown> {
  try {
    return await client.read(path, {});
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}
