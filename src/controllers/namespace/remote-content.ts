import type { ObjectMeta } from '../../model/object.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import { ApiError } from '../../status/index.ts';
import { REMOTE_BOUNDS } from '../remote-kinds.ts';

/** A namespaced resource of an extension server. */
export interface RemoteResource extends Resource {
  readonly verbs: readonly string[];
}

/** What the server knows of the namespaced resources of extension servers. */
export interface RemoteResources {
  readonly resources: readonly RemoteResource[];
  /** `group/version` of versions whose resources are not known at present. */
  readonly undiscovered: readonly string[];
}

/** Receives what remains in a namespace. */
export interface RemainingContent {
  object(resource: Resource, finalizers: readonly string[]): void;
  failure(resource: Resource, message: string): void;
}

/** Pages of 500 objects that are read in one pass. */
const MAXIMUM_PAGES = 100;

/** Deletes the objects of extension servers in a namespace and reports the remaining ones. */
export async function deleteRemoteContent(
  client: Client,
  namespace: string,
  resources: readonly RemoteResource[],
  remaining: RemainingContent,
): Promise<void> {
  const remote = client.bounded(REMOTE_BOUNDS);
  for (const resource of resources)
    try {
      if (resource.verbs.includes('deletecollection'))
        await remote.deleteCollection(resource, namespace, { propagationPolicy: 'Background' });
      else
        for await (const { name = '' } of objectsOf(remote, resource, namespace))
          await deleteOne(remote, resource, namespace, name);
      for await (const { finalizers = [] } of objectsOf(remote, resource, namespace))
        remaining.object(resource, finalizers);
    } catch (error) {
      // A malformed list or Status is a failure of this resource only.
      if (error instanceof ApiError && error.code === 404) continue;
      remaining.failure(resource, (error as Error).message);
    }
}

async function* objectsOf(client: Client, resource: Resource, namespace: string): AsyncGenerator<ObjectMeta> {
  let pages = 0;
  for await (const { items } of client.pages(resource, { namespace, metadataOnly: true })) {
    for (const { metadata = {} } of items) yield metadata;
    if (++pages === MAXIMUM_PAGES) return;
  }
}

async function deleteOne(client: Client, resource: Resource, namespace: string, name: string): Promise<void> {
  try {
    await client.delete(resource, namespace, name, { propagationPolicy: 'Background' });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
