import type { KubernetesObject } from '../model/object.ts';
import { ApiError } from '../status/index.ts';
import type { Client, Resource } from './client.ts';

/**
 * Writes the status of an object. If the object has changed since it was read, the status is written once more on its
 * present version.
 * @param withStatus a copy of an object with the status
 * @returns undefined if the object has gone
 * @throws ApiError 409 if it has changed again
 */
export async function updateStatus<Object extends KubernetesObject>(
  client: Pick<Client, 'get' | 'update'>,
  resource: Resource,
  object: Object,
  withStatus: (object: Object) => Object,
): Promise<Object | undefined> {
  const write = async (current: Object): Promise<Object> =>
    (await client.update(resource, withStatus(current), { subresource: 'status' })) as Object;
  try {
    return await write(object);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 404) return undefined;
    if (error.code !== 409) throw error;
  }
  const { namespace = '', name = '', uid } = object.metadata ?? {};
  const current = (await client.get(resource, namespace, name)) as Object | undefined;
  return current?.metadata?.uid === uid ? write(current!) : undefined;
}
