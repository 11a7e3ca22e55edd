import type { Container, Pod } from '../model/generated/core-v1.ts';
import type { Quantity } from '../model/quantity.ts';
import { addResources, maximumResources, type ResourceList, toResources } from './resource-list.ts';

/**
 * What a pod needs at most at any time: its containers together, or one of its init containers beside the
 * sidecars begun before it; and what its runtime costs.
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

/** The overhead is part of every request, and of those limits that there are. */
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
