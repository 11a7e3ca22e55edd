import type { Container, Pod } from '../../model/generated/core-v1.ts';
import { getMember } from '../../model/object.ts';

type Named = Pick<Container, 'name' | 'image'>;

/** Prefix of the annotation with the seccomp profile of a container. */
export const SECCOMP_CONTAINER_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';

/**
 * Whether an update of a pod must be evaluated: an image, a seccomp annotation or the set of containers
 * changes.
 */
export function isSignificantUpdate(pod: Pod, old: Pod): boolean {
  const differs = (container: Named, before: Named): boolean => {
    const key = `${SECCOMP_CONTAINER_PREFIX}${container.name}`;
    if (container.image !== before.image) return true;
    return (
      getMember(pod.metadata?.annotations ?? {}, key) !== getMember(old.metadata?.annotations ?? {}, key)
    );
  };
  const anyDiffers = (now: readonly Named[] = [], before: readonly Named[] = []): boolean =>
    now.length !== before.length || now.some((container, index) => differs(container, before[index]!));
  if (
    anyDiffers(pod.spec?.containers, old.spec?.containers) ||
    anyDiffers(pod.spec?.initContainers, old.spec?.initContainers)
  )
    return true;
  const known = new Map(
    (old.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]),
  );
  return (pod.spec?.ephemeralContainers ?? []).some((container) => {
    const before = known.get(container.name);
    return before === undefined || differs(container, before);
  });
}

/**
 * Orders pods without controller and the first pod of each controller before further, similar pods of a
 * controller.
 */
export function prioritizePods(pods: readonly Pod[]): readonly Pod[] {
  const first: Pod[] = [];
  const further: Pod[] = [];
  const controllers = new Set<string>();
  for (const pod of pods) {
    const controller = pod.metadata?.ownerReferences?.find((reference) => reference.controller === true)?.uid;
    if (controller !== undefined && controllers.has(controller)) further.push(pod);
    else first.push(pod);
    if (controller !== undefined) controllers.add(controller);
  }
  return [...first, ...further];
}
