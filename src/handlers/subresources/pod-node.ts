import type { Node } from '../../model/generated/core-v1.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import type { HandlerEnvironment } from '../environment.ts';

/**
 * The node of a name. An absent node is reported as a resource of the request, as in kube-apiserver.
 * @throws ApiError 404
 */
export async function readNode(
  name: string,
  { row }: ServedResource,
  { resources }: HandlerEnvironment,
): Promise<Node> {
  const { stored } = resources.internal('', 'nodes');
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key('', name));
  if (record === undefined) throw errors.notFound(row, name);
  return stored.decode(record) as Node;
}
