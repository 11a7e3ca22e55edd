import type { Container, Pod } from '../../../src/model/generated/core-v1.ts';
import { parseQuantity, scaledQuantity } from '../../../src/model/quantity.ts';

/** A quantity in units of a resource: thousandths of CPUs, else whole ones. */
export const amount = (resource: string, text: string | undefined): number =>
  text === undefined ? 0 : Number(scaledQuantity(parseQuantity(text), resource === 'cpu' ? -3 : 0));

/**
 * What a pod requests of a resource at the worst moment of its life: when all containers and sidecars run, or when an
 * init container runs beside the sidecars before it.
 */
export function requested({ spec }: Pod, resource: string): number {
  const of = ({ resources }: Container): number => amount(resource, resources?.requests?.[resource]);
  const init = spec!.initContainers ?? [];
  const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';
  const sum = (containers: readonly Container[]): number =>
    containers.reduce((total, container) => total + of(container), 0);
  const running = sum([...spec!.containers!, ...init.filter(isSidecar)]);
  const starting = init.map(
    (container, index) => of(container) + sum(init.slice(0, index).filter(isSidecar)),
  );
  return Math.max(running, ...starting) + amount(resource, spec!.overhead?.[resource]);
}
