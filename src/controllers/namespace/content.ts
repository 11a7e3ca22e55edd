import type { ObjectMeta } from '../../model/object.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import { ApiError } from '../../status/index.ts';
import type { ContentDeletion } from './conditions.ts';
import { deleteRemoteContent, type RemoteResources } from './remote-content.ts';

/** Reads the content of namespaces from the store. */
export interface NamespaceContent {
  /** Finds the resources that have objects in a namespace, each in one version with deletecollection. */
  find(namespace: string): Promise<readonly Resource[]>;
  /** Reads the metadata of the objects of a found resource. Nothing is converted. */
  metadata(resource: Resource, namespace: string): AsyncIterable<ObjectMeta>;
  /** The namespaced resources of extension servers; default: none. */
  remote?(): RemoteResources;
}

/**
 * Deletes all objects of a namespace and returns the remaining ones. A failing kind does not stop the others.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  content: NamespaceContent,
): Promise<ContentDeletion> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures = new Map<string, string>();
  for (const resource of podsLast(await content.find(namespace)))
    try {
      await client.deleteCollection(resource, namespace, {
        propagationPolicy: 'Background',
        ...(isPods(resource) ? { gracePeriodSeconds: 0 } : {}),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A kind that is no longer served has no content.
      if (error.code !== 404) failures.set(nameOf(resource), error.message);
    }
  for (const resource of await content.find(namespace)) {
    const name = nameOf(resource);
    if (failures.has(name)) continue;
    for await (const metadata of content.metadata(resource, namespace)) {
      count(remaining, name);
      for (const finalizer of metadata.finalizers ?? []) count(finalizers, finalizer);
    }
  }
  const { resources = [], undiscovered = [] } = content.remote?.() ?? {};
  await deleteRemoteContent(client, namespace, resources, {
    object(resource, names) {
      count(remaining, nameOf(resource));
      for (const finalizer of names) count(finalizers, finalizer);
    },
    failure: (resource, message) => void failures.set(nameOf(resource), message),
  });
  return { remaining, finalizers, failures: [...failures.values()].sort(), undiscovered };
}

const nameOf = ({ resource, group }: Resource): string => `${resource}.${group}`;

/** Owners of pods are deleted before the pods. */
const podsLast = (resources: readonly Resource[]): Resource[] =>
  [...resources].sort((a, b) => Number(isPods(a)) - Number(isPods(b)));

/** Pods are deleted without a grace period: there may be no kubelet that ends it. */
const isPods = ({ group, resource }: Resource): boolean => group === '' && resource === 'pods';

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};
