import { ApiError } from '../../status/index.ts';
import type { Client, Resource } from '../client.ts';
import type { Emptying } from './conditions.ts';

/** The resources that have objects in a namespace now, each in one version that can be listed and deleted as a collection. */
export type FindContent = (namespace: string) => Promise<readonly Resource[]>;

/** Deletes every object of a namespace, and tells what is left. */
export async function deleteContent(client: Client, namespace: string, find: FindContent): Promise<Emptying> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures: string[] = [];
  for (const resource of await find(namespace)) {
    try {
      await client.deleteCollection(resource, namespace, { propagationPolicy: 'Background', ...(isPods(resource) ? { gracePeriodSeconds: 0 } : {}) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push(error.message);
    }
  }
  for (const resource of await find(namespace)) {
    const { items } = await client.list(resource, { namespace, metadataOnly: true });
    for (const { metadata } of items) {
      count(remaining, `${resource.resource}.${resource.group}`);
      for (const finalizer of metadata?.finalizers ?? []) count(finalizers, finalizer);
    }
  }
  return { remaining, finalizers, failures };
}

/** No kubelet ends a pod's grace period here, so that pods would stay for ever if they had one. */
const isPods = ({ group, resource }: Resource): boolean => group === '' && resource === 'pods';

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};
