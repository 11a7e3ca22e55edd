import type { KubernetesObject } from '../model/object.ts';
import { ApiError } from '../status/index.ts';
import type { Resource, Writer } from './client.ts';

/**
 * Writes the status of an object. If the object has changed since it was read, the status is written once more on its
 * present version.
 * @param withStatus a copy of an object with the status
 * @throws ApiError 409 if the object changes again; a deleted object is ignored
 */
export async function updateStatus<Object extends KubernetesObject>(
  writer: Pick<Writer, 'get' | 'update'>,
  resource: Resource,
  object: Object,
  withStatus: (object: Object) => Object,
): Promise<void> {
  const write = (current: Object): Promise<unknown> =>
    writer.update(resource, withStatus(current), { subresource: 'status' });
  try {
    await write(object);
    return;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 404) return;
    if (error.code !== 409) throw error;
  }
  const { namespace = '', name = '', uid } = object.metadata ?? {};
  const current = (await writer.get(resource, namespace, name)) as Object | undefined;
  if (current !== undefined && current.metadata?.uid === uid) await write(current);
}
