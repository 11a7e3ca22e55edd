import type { ObjectMeta, OwnerReference } from '../../model/object.ts';
import type { Resource } from '../client.ts';
import type { Source } from '../controller.ts';

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** A kind whose objects can own and be collected. */
export interface Kind {
  readonly resource: Resource;
  readonly namespaced: boolean;
  /** The same for all groups and versions that serve the same objects. */
  readonly store: string;
}

/** What the collector knows of an object: enough to decide on it without reading it again. */
export interface ObservedObject {
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly owners: readonly OwnerReference[];
  readonly deleting: boolean;
  /** Its dependents are to be kept when it goes. */
  readonly orphans: boolean;
  /** It waits, or will wait when it is deleted, for its dependents to go first. */
  readonly foreground: boolean;
}

/** Told of all objects, then of every change in the order of revisions. */
export interface MetadataListener {
  /**
   * All objects follow, and then {@link MetadataListener.finishListing}; more than once where changes may
   * have been missed.
   */
  startListing(): void;
  /** Called for every object: does little with those that concern nobody. */
  put(object: ObservedObject): void;
  /** @param object as it was last; `revision` is that of the deletion */
  remove(object: ObservedObject): void;
  finishListing(): void;
}

/** Where objects of all collectable kinds come from. */
export interface MetadataSource extends Source {
  listen(listener: MetadataListener): void;
  /** The kind that an owner reference names, undefined where no such kind is served. */
  findKind(apiVersion: string, kind: string): Kind | undefined;
  /** Whether an object is there in whatever namespace. */
  isAnywhere(kind: Kind, name: string, uid: string): Promise<boolean>;
}

const NO_OWNERS: readonly OwnerReference[] = [];

/** Reads what is needed off an object's metadata. */
export function observe(kind: Kind, metadata: ObjectMeta, revision: number): ObservedObject {
  const { namespace = '', name = '', uid = '', ownerReferences, deletionTimestamp, finalizers } = metadata;
  return {
    kind,
    namespace,
    name,
    uid,
    revision,
    owners: ownerReferences === undefined || ownerReferences.length === 0 ? NO_OWNERS : ownerReferences,
    deleting: deletionTimestamp !== undefined && deletionTimestamp !== null,
    orphans: finalizers?.includes(ORPHAN) ?? false,
    foreground: finalizers?.includes(FOREGROUND) ?? false,
  };
}

/** It is being deleted once its dependents are. */
export const waitsForDependents = ({ deleting, foreground }: ObservedObject): boolean =>
  deleting && foreground;

/** It is being deleted once its dependents don't name it any more. */
export const waitsForOrphaning = ({ deleting, orphans }: ObservedObject): boolean => deleting && orphans;
