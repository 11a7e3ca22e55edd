import type {
  LimitRange,
  Namespace,
  Node,
  Pod,
  ResourceQuota,
  ServiceAccount,
} from '../model/generated/core-v1.ts';
import type { IngressClass } from '../model/generated/networking-v1.ts';
import type { RuntimeClass } from '../model/generated/node-v1.ts';
import type { PriorityClass } from '../model/generated/scheduling-v1.ts';
import type { StorageClass } from '../model/generated/storage-v1.ts';
import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '../model/object.ts';
import type { MaybePromise } from '../steps/steps.ts';

/** A stored quota with an update of its usage. */
export interface StoredQuota {
  readonly quota: ResourceQuota;
  /** Stores the usage (compare and swap). @returns false when the quota has changed since it was read */
  updateUsed(used: Record<string, string>): Promise<boolean>;
}

/** The look-ups of built-in plugins. Objects are shared with the cache and must not be modified. */
export interface AdmissionListers {
  namespace(name: string): MaybePromise<Namespace | undefined>;
  serviceAccount(namespace: string, name: string): MaybePromise<ServiceAccount | undefined>;
  priorityClass(name: string): MaybePromise<PriorityClass | undefined>;
  priorityClasses(): MaybePromise<Iterable<PriorityClass>>;
  storageClass(name: string): MaybePromise<StorageClass | undefined>;
  storageClasses(): MaybePromise<Iterable<StorageClass>>;
  ingressClasses(): MaybePromise<Iterable<IngressClass>>;
  runtimeClass(name: string): MaybePromise<RuntimeClass | undefined>;
  pod(namespace: string, name: string): MaybePromise<Pod | undefined>;
  node(name: string): MaybePromise<Node | undefined>;
  pods(namespace: string): MaybePromise<readonly Pod[]>;
  limitRanges(namespace: string): MaybePromise<readonly LimitRange[]>;
  resourceQuotas(namespace: string): MaybePromise<readonly StoredQuota[]>;
}

/** A resource in a served version, and the kind of its objects there. */
export interface EquivalentResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** The served versions of resources, for rules that match every version of a kind. */
export interface EquivalentResources {
  /** Changes with the set of served resources. */
  readonly generation: number;
  /**
   * The served resources, or subresources, with the same stored objects, the given one included, in the order
   * in which they are served. Groups may differ.
   */
  of(resource: GroupVersionResource, subresource: string): readonly EquivalentResource[];
  /** Served versions of a resource of a group. */
  versionsOf(group: string, resource: string): readonly string[];
}

/** Stored objects of one kind that configure admission. */
export interface ConfigurationLister {
  /** Grows with every change of an object; the next look-up sees the change. */
  readonly generation: number;
  /** All present objects by name, from the cache; not to be modified. */
  list(): readonly KubernetesObject[];
}
