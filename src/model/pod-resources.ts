import type { Container, Pod, PodSpec } from './generated/core-v1.ts';
import type { Quantity } from './quantity.ts';
import { addResources, maximumResources, type ResourceList, toResources } from './resource-list.ts';

type Which = 'requests' | 'limits';

const amountsOf = (container: Pick<Container, 'resources'>, which: Which): ResourceList =>
  toResources(container.resources?.[which]);

/**
 * Computes the resources that a pod needs at any time: the sum of its containers and sidecars, or the largest
 * need of one init container with the sidecars started before it, whichever is larger; plus the overhead of
 * its runtime class.
 */
export const podResources = (pod: Pod, which: Which): Map<string, Quantity> =>
  neededResources(pod, which, (container) => amountsOf(container, which));

/**
 * {@link podResources} of a pod that may be resized: a container needs what it has by its specification or by
 * its status, whichever is larger; what it has by its status if the resize is infeasible.
 */
export function podResourcesWithStatus(pod: Pod, which: Which): Map<string, Quantity> {
  const { containerStatuses = [], resize } = pod.status ?? {};
  const reported = new Map(containerStatuses.map((status) => [status.name ?? '', status]));
  return neededResources(pod, which, (container) => {
    const status = reported.get(container.name ?? '');
    const desired = amountsOf(container, which);
    if (status?.resources === undefined) return desired;
    const actual = amountsOf(status, which);
    return resize === 'Infeasible' ? actual : maximumResources(actual, desired);
  });
}

const neededResources = (
  { spec = {} }: Pod,
  which: Which,
  ofRunning: (container: Container) => ResourceList,
): Map<string, Quantity> =>
  withOverhead(containerResources(spec, which, ofRunning), toResources(spec.overhead), which);

/** {@link podResources} without the overhead. @param ofRunning what a container needs while it runs */
export function containerResources(
  spec: PodSpec,
  which: Which,
  ofRunning = (container: Container): ResourceList => amountsOf(container, which),
): Map<string, Quantity> {
  const of = (container: Container): ResourceList => amountsOf(container, which);
  let running: ResourceList = new Map();
  for (const container of spec.containers ?? []) running = addResources(running, ofRunning(container));
  let sidecars: ResourceList = new Map();
  let starting: ResourceList = new Map();
  for (const container of spec.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) sidecars = addResources(sidecars, of(container));
    starting = maximumResources(starting, isSidecar ? sidecars : addResources(sidecars, of(container)));
  }
  return maximumResources(addResources(running, sidecars), starting);
}

/** Overhead is added to every request, and only to limits that are set. */
function withOverhead(
  needed: Map<string, Quantity>,
  overhead: ResourceList,
  which: Which,
): Map<string, Quantity> {
  return addResources(
    needed,
    which === 'requests' ? overhead : new Map([...overhead].filter(([name]) => needed.has(name))),
  );
}
