import type { Container, EphemeralContainer, PodSpec } from '../../../model/generated/core-v1.ts';

/** Returns init, regular and ephemeral containers, in this order. */
export function allContainers(spec: PodSpec): (Container | EphemeralContainer)[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

/** A container and the path of it. */
interface PlacedContainer {
  readonly container: Container | EphemeralContainer;
  readonly path: string;
}

/** {@link allContainers} with their paths. @param field path of the specification */
export const containersWithPaths = (spec: PodSpec, field: string): PlacedContainer[] =>
  (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, path: `${field}.${list}[${index}]` })),
  );
