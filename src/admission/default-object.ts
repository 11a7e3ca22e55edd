import { getMember, type KubernetesObject } from '../model/object.ts';

/** Whether one of the annotations says `true`. */
export const isDefaultClass = (object: KubernetesObject, ...annotations: string[]): boolean =>
  annotations.some((key) => getMember(object.metadata?.annotations ?? {}, key) === 'true');

/**
 * The newest of the objects that are marked as the default; of equally old ones that whose name comes first.
 */
export function newestDefaultClass(
  objects: Iterable<KubernetesObject>,
  ...annotations: string[]
): KubernetesObject | undefined {
  let best: KubernetesObject | undefined;
  for (const object of objects) {
    if (isDefaultClass(object, ...annotations) && (best === undefined || isBefore(object, best)))
      best = object;
  }
  return best;
}

function isBefore(one: KubernetesObject, other: KubernetesObject): boolean {
  const [made = '', otherMade = ''] = [
    one.metadata?.creationTimestamp ?? undefined,
    other.metadata?.creationTimestamp ?? undefined,
  ];
  return made === otherMade ? (one.metadata?.name ?? '') < (other.metadata?.name ?? '') : made > otherMade;
}
