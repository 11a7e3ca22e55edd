import type { KubernetesObject } from '../../model/object.ts';
import { ApiError } from '../../status/index.ts';
import type { Client, Resource } from '../client.ts';
import type { Emptying } from './conditions.ts';

/**
 * Deletes every object of a namespace, and tells what is left. Nobody but this server would end a pod's grace period, so pods go at once.
 * @param resources of each stored resource one version, which can be listed and deleted as a collection
 */
export async function deleteContent(client: Client, namespace: string, resources: readonly Resource[]): Promise<Emptying> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures: string[] = [];
  for (const resource of resources) {
    try {
      for (const { metadata } of await deleteAll(client, namespace, resource)) {
        count(remaining, `${resource.resource}.${resource.group}`);
        for (const finalizer of metadata?.finalizers ?? []) count(finalizers, finalizer);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push(error.message);
    }
  }
  return { remaining, finalizers, failures };
}

/** Most namespaces have objects of few kinds: what is empty is only listed. */
async function deleteAll(client: Client, namespace: string, resource: Resource): Promise<KubernetesObject[]> {
  const list = async (): Promise<KubernetesObject[]> => (await client.list(resource, { namespace, metadataOnly: true })).items;
  if ((await list()).length === 0) return [];
  const isPods = resource.group === '' && resource.resource === 'pods';
  await client.deleteCollection(resource, namespace, { propagationPolicy: 'Background', ...(isPods ? { gracePeriodSeconds: 0 } : {}) });
  return list();
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};
