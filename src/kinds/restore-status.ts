import type { KubernetesObject } from '../model/object.ts';

const KEPT = new Set(['metadata', 'status', 'kind', 'apiVersion']);

/** Restores the members of an object that a status update does not change; metadata and type remain. */
export function restoreMembers(object: KubernetesObject, old: KubernetesObject): void {
  for (const name of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (KEPT.has(name)) continue;
    if (old[name] === undefined) delete object[name];
    else object[name] = old[name];
  }
}

/**
 * Restores everything but the status and the managed fields, as a status update of custom objects and of flow
 * control does.
 */
export function restoreAllButStatus(object: KubernetesObject, old: KubernetesObject): void {
  restoreMembers(object, old);
  const { managedFields, resourceVersion } = object.metadata ?? {};
  object.metadata = { ...old.metadata, managedFields, resourceVersion };
}
