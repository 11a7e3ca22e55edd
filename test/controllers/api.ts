import type { KubernetesObject, OwnerReference } from '../../src/model/object.ts';
import type { TestCluster } from '../../src/testing/index.ts';
import { watchUntil } from '../support/watch-until.ts';

export type AnyObject = KubernetesObject & { items?: AnyObject[]; message?: string };

/** Members of the object `[]` name a collection in a namespace. */
export const COLLECTIONS = {
  ConfigMap: '/api/v1/namespaces/[]/configmaps',
  Pod: '/api/v1/namespaces/[]/pods',
  ReplicaSet: '/apis/apps/v1/namespaces/[]/replicasets',
  Deployment: '/apis/apps/v1/namespaces/[]/deployments',
  Event: '/api/v1/namespaces/[]/events',
} as const;

/** Requests of a test, with waits for controllers. */
export class Api {
  constructor(private readonly cluster: TestCluster) {}

  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<AnyObject> {
    const response = await this.cluster.fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const answer = (await response.json()) as AnyObject;
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer;
  }

  async status(path: string): Promise<number> {
    const response = await this.cluster.fetch(path);
    await response.text();
    return response.status;
  }

  merge(path: string, change: object): Promise<AnyObject> {
    return this.call('PATCH', path, change, { 'content-type': 'application/merge-patch+json' });
  }

  /** The current resource version of a collection. */
  async versionOf(collection: string): Promise<string> {
    return (await this.call('GET', collection)).metadata!.resourceVersion!;
  }

  /**
   * Watches a collection until an event after `since` satisfies `condition`; without `since`, includes
   * existing objects.
   */
  seen(
    collection: string,
    condition: (object: AnyObject, type: string) => boolean,
    since?: string,
  ): Promise<AnyObject> {
    return watchUntil(this.cluster, collection, condition, since);
  }

  /** Watches a collection until an existing object is deleted. */
  async gone(collection: string, name: string): Promise<void> {
    const { items, metadata } = await this.call('GET', collection);
    if (items!.some((item) => item.metadata!.name === name))
      await this.seen(
        collection,
        (object, type) => type === 'DELETED' && object.metadata!.name === name,
        metadata!.resourceVersion,
      );
  }
}

/** A controller reference to an object. */
export function ownedBy(owner: AnyObject, blockOwnerDeletion = true): OwnerReference {
  const { name = '', uid = '' } = owner.metadata!;
  return { apiVersion: owner.apiVersion!, kind: owner.kind!, name, uid, blockOwnerDeletion };
}
