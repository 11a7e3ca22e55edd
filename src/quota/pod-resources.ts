import type { Container, Pod } from '../model/generated/core-v1.ts';
import type { Quantity } from '../model/quantity.ts';
import { addResources, maximumResources, type ResourceList, toResources } from './resource-list.ts';

/**
 * Computes the resources that a pod needs at any time: the sum of its containers and sidecars, or the largest
 * need of one init container with the sidecars started before it, whichever is larger; plus the overhead of
 * its runtime class.
 */
export function podResources({ spec }: Pod, which: 'requests' | 'limits'): Map<string, Quantity> {
  const of = (container: Container): ResourceList => toResources(container.resources?.[which]);
  let running: ResourceList = new Map();
  for (const container of spec?.containers ?? []) running = addResources(running, of(container));
  let sidecars: ResourceList = new Map();
  let starting: ResourceList = new Map();
  for (const container of spec?.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) sidecars = addResources(sidecars, of(container));
    starting = maximumResources(starting, isSidecar ? sidecars : addResources(sidecars, of(container)));
  }
  const needed = maximumResources(addResources(running, sidecars), starting);
  return withOverhead(needed, toResources(spec?.overhead), which);
}

/** Overhead is added to every request, and only to limits that are set. */
function withOverhead(
  needed: Map<string, Quantity>,
  overhead: ResourceList,
  which: 'requests' | 'limits',
): Map<string, Quantity> {
  return addResources(
    needed,
    which === 'requests' ? overhead : new Map([...overhead].filter(([name]) => needed.has(name))),
  );
}
