import type { ResourceQuota } from '../model/generated/core-v1.ts';
import type { KubernetesObject } from '../model/object.ts';

/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** A stored quota with an update of its usage. */
export interface StoredQuota {
  readonly quota: ResourceQuota;
  /** Stores the usage (compare and swap). @returns false when the quota has changed since it was read */
  updateUsed(used: Record<string, string>): Promise<boolean>;
}

/** The look-ups of built-in plugins. Objects are shared with the cache and must not be modified. */
export interface AdmissionListers {
  namespace(name: string): Awaitable<KubernetesObject | undefined>;
  serviceAccount(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  priorityClass(name: string): Awaitable<KubernetesObject | undefined>;
  priorityClasses(): Awaitable<Iterable<KubernetesObject>>;
  storageClass(name: string): Awaitable<KubernetesObject | undefined>;
  storageClasses(): Awaitable<Iterable<KubernetesObject>>;
  ingressClasses(): Awaitable<Iterable<KubernetesObject>>;
  runtimeClass(name: string): Awaitable<KubernetesObject | undefined>;
  pod(namespace: string, name: string): Awaitable<KubernetesObject | undefined>;
  node(name: string): Awaitable<KubernetesObject | undefined>;
  pods(namespace: string): Awaitable<readonly KubernetesObject[]>;
  limitRanges(namespace: string): Awaitable<readonly KubernetesObject[]>;
  resourceQuotas(namespace: string): Awaitable<readonly StoredQuota[]>;
}

/**
 * Continues synchronously with an available value, so that a cache hit creates no promise.
 */
export function mapMaybePromise<T>(value: Awaitable<T>, next: (value: T) => void): void | Promise<void> {
  return value instanceof Promise ? value.then(next) : next(value);
}
