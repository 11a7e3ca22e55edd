import type { KubernetesObject } from '../../../model/object.ts';

/** Restores everything but the status and the managed fields, as a status update of flow control does. */
export function restoreAllButStatus(object: KubernetesObject, old: KubernetesObject): void {
  const { managedFields, resourceVersion } = object.metadata ?? {};
  object.metadata = { ...old.metadata, managedFields, resourceVersion };
  object.spec = old.spec;
}
