import { getMember, type KubernetesObject } from './object.ts';

/** Whether one of the annotations is `true`. */
export const isDefaultClass = (object: KubernetesObject, ...annotations: string[]): boolean =>
  annotations.some((key) => getMember(object.metadata?.annotations ?? {}, key) === 'true');

/**
 * The newest object that is marked as the default; ties are resolved by name.
 */
export function newestDefaultClass<Class extends KubernetesObject>(
  objects: Iterable<Class>,
  ...annotations: string[]
): Class | undefined {
  let best: Class | undefined;
  for (const object of objects) {
    if (isDefaultClass(object, ...annotations) && (best === undefined || isBefore(object, best)))
      best = object;
  }
  return best;
}

function isBefore(one: KubernetesObject, other: KubernetesObject): boolean {
  const [created = '', otherCreated = ''] = [
    one.metadata?.creationTimestamp ?? undefined,
    other.metadata?.creationTimestamp ?? undefined,
  ];
  return created === otherCreated
    ? (one.metadata?.name ?? '') < (other.metadata?.name ?? '')
    : created > otherCreated;
}
