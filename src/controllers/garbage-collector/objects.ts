import type { ObjectMeta, OwnerReference } from '../../model/object.ts';
import type { Resource } from '../../reconcile/client.ts';
import type { Source } from '../../reconcile/controller.ts';

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** A kind that the garbage collector tracks. */
export interface Kind {
  /** The version that requests use; it may change while the kind is tracked. */
  readonly resource: Resource;
  readonly namespaced: boolean;
  /** Identifies the stored objects, for all groups and versions that serve them. */
  readonly store: string;
  /** Objects of an extension server: their revisions order what was observed, and are not versions. */
  readonly isRemote?: true;
}

/** The metadata of an object that garbage collection needs. */
export interface ObservedObject {
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  /** The resourceVersion of an object of an extension server; of others it is the revision. */
  readonly resourceVersion?: string | undefined;
  readonly owners: readonly OwnerReference[];
  readonly deleting: boolean;
  /** Has the finalizer `orphan`: its dependents are orphaned on deletion. */
  readonly orphans: boolean;
  /** Has the finalizer `foregroundDeletion`: its dependents are deleted first. */
  readonly foreground: boolean;
}

/** The metadata of a stored object. */
export interface StoredMetadata {
  readonly metadata: ObjectMeta;
  readonly revision: number;
}

/** Receives all objects, then every change in the order of revisions. */
export interface MetadataListener {
  /**
   * A full list follows, then {@link MetadataListener.finishListing}; repeated when changes may have been
   * missed.
   */
  startListing(): void;
  /** Called for every object: cheap for objects without relations. */
  put(object: ObservedObject): void;
  /** @param object its last state; `revision` is that of the deletion */
  remove(object: ObservedObject): void;
  finishListing(): void;
  /** Kinds are served that were not served before. */
  addKinds(): void;
  /** The objects of a kind are no longer reported, as it is no longer served. @param store {@link Kind.store} */
  forgetKind(store: string): void;
}

/** Provides the metadata of all tracked kinds. */
export interface MetadataSource extends Source {
  listen(listener: MetadataListener): void;
  /** The kind of an owner reference; undefined for a kind that is not served. */
  findKind(apiVersion: string, kind: string): Kind | undefined;
  /** Reads an object from the store; undefined if it is absent. Nothing is converted. */
  read(kind: Kind, namespace: string, name: string): Promise<StoredMetadata | undefined>;
  /** Whether an object exists in any namespace. */
  isAnywhere(kind: Kind, name: string, uid: string): Promise<boolean>;
}

const NO_OWNERS: readonly OwnerReference[] = [];

/** Extracts the observed metadata of an object. */
export function observe(kind: Kind, metadata: ObjectMeta, revision: number): ObservedObject {
  const { namespace = '', name = '', uid = '', ownerReferences, deletionTimestamp, finalizers } = metadata;
  return {
    kind,
    namespace,
    name,
    uid,
    revision,
    ...(kind.isRemote === true && { resourceVersion: metadata.resourceVersion }),
    owners: ownerReferences === undefined || ownerReferences.length === 0 ? NO_OWNERS : ownerReferences,
    deleting: deletionTimestamp !== undefined && deletionTimestamp !== null,
    orphans: finalizers?.includes(ORPHAN) ?? false,
    foreground: finalizers?.includes(FOREGROUND) ?? false,
  };
}

/** Whether the object is in foreground deletion. */
export const waitsForDependents = ({ deleting, foreground }: ObservedObject): boolean =>
  deleting && foreground;

/** Whether the object is terminating and waits for its dependents to be orphaned. */
export const waitsForOrphaning = ({ deleting, orphans }: ObservedObject): boolean => deleting && orphans;
