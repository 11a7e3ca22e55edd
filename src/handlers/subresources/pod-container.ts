import type { Pod } from '../../model/generated/core-v1.ts';
import type { RequestContext } from '../../request/context.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';

/** The pod that a request names. @throws ApiError 404 */
export async function readPod({ info }: RequestContext, { stored, row }: ServedResource): Promise<Pod> {
  await stored.cache.waitFresh('latest');
  const record = stored.cache.get(stored.key(info.namespace, info.name));
  if (record === undefined) throw errors.notFound(row, info.name);
  return stored.decode(record) as Pod;
}

/**
 * The container that a request means: the wanted one, or the only one of the pod.
 * @param wanted empty: none is named
 * @throws ApiError 400
 */
export function containerOf({ spec }: Pod, wanted: string, pod: string): string {
  const containers = spec?.containers ?? [];
  if (wanted !== '') {
    const all = [...(spec?.initContainers ?? []), ...containers, ...(spec?.ephemeralContainers ?? [])];
    if (all.some(({ name }) => name === wanted)) return wanted;
    throw errors.badRequest(`container ${wanted} is not valid for pod ${pod}`);
  }
  if (containers.length === 1) return containers[0]!.name ?? '';
  const choice =
    containers.length === 0 ? '' : `, choose one of: [${containers.map(({ name }) => name ?? '').join(' ')}]`;
  throw errors.badRequest(`a container name must be specified for pod ${pod}${choice}`);
}
