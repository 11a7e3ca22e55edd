import { ApiError } from '../../status/index.ts';
import type { Client, Resource } from '../client.ts';
import type { ContentDeletion } from './conditions.ts';

/**
 * Finds the resources that have objects in a namespace, each in one version with list and deletecollection.
 */
export type FindContent = (namespace: string) => Promise<readonly Resource[]>;

/**
 * Deletes all objects of a namespace and returns the remaining ones. A failing kind does not stop the others.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  find: FindContent,
): Promise<ContentDeletion> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures = new Map<string, string>();
  const attempt = async (resource: Resource, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.set(nameOf(resource), error.message);
    }
  };
  for (const resource of podsLast(await find(namespace)))
    await attempt(resource, () =>
      client.deleteCollection(resource, namespace, {
        propagationPolicy: 'Background',
        ...(isPods(resource) ? { gracePeriodSeconds: 0 } : {}),
      }),
    );
  for (const resource of await find(namespace))
    await attempt(resource, async () => {
      const { items } = await client.list(resource, { namespace, metadataOnly: true });
      for (const { metadata } of items) {
        count(remaining, nameOf(resource));
        for (const finalizer of metadata?.finalizers ?? []) count(finalizers, finalizer);
      }
    });
  return { remaining, finalizers, failures: [...failures.values()].sort() };
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
