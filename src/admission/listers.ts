import type { ResourceQuota } from '../model/generated/core-v1.ts';
import type { KubernetesObject } from '../model/object.ts';

/** A value now, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** A stored quota, and how its use is put down. */
export interface StoredQuota {
  readonly quota: ResourceQuota;
  /** Stores what is used, unless the quota has changed since it was read: then false. */
  updateUsed(used: Record<string, string>): Promise<boolean>;
}

/** What the built-in plugins look up. Objects are those of the cache, and must not be changed. */
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
 * Goes on with a value at once when it is there, so that a plugin that found it in the cache costs no
 * promise.
 */
export function mapMaybePromise<T>(value: Awaitable<T>, next: (value: T) => void): void | Promise<void> {
  return value instanceof Promise ? value.then(next) : next(value);
}
