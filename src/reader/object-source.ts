import type { KubernetesObject, ObjectMeta } from '../model/object.ts';

/** One object of a source, at one version. Whoever reads it shares it: it must not be changed. */
export interface SourceObject {
  /**
   * The object as JSON of the version that was asked for, decoded on first use. It has no `managedFields`: an update
   * without them leaves them as they are.
   * @throws CorruptObjectError
   */
  readonly object: KubernetesObject;
  /** {@link object} for a listener that uses it in this call and never again. @throws CorruptObjectError */
  peek(): KubernetesObject;
  /** {@link object}, decoded again if it is not at hand: nothing is kept. @throws CorruptObjectError */
  read(): KubernetesObject;
  /** The metadata, without decoding the rest of the object: it may lack the resourceVersion. @throws CorruptObjectError */
  metadata(): ObjectMeta;
}

/**
 * The keys under which an index has an object; one that throws leaves the object out. All who use the same function
 * share the index, which is made on first use and kept while anybody has a source of the resource.
 */
export type ObjectIndex<Object extends SourceObject = SourceObject> = (object: Object) => readonly string[];

/** Which objects of a resource a source has; default: all. */
export interface Selection {
  /** The objects of one name, in any namespace. */
  readonly name?: string;
  /** The objects with a value of a selectable field. */
  readonly field?: readonly [name: string, value: string];
  /** Further restricts them. @throws CorruptObjectError */
  readonly selects?: (object: SourceObject) => boolean;
}

/**
 * Called for every object that is added, updated (`previous` is the old state) or deleted (`current` is
 * undefined). A call that throws is repeated with back-off.
 * @param key `namespace/name`, or the name alone of a cluster-scoped object
 */
export type ChangeListener = (
  key: string,
  current: SourceObject | undefined,
  previous: SourceObject | undefined,
) => void;

/** The objects of one resource, or a selection of them, and their changes. */
export interface ObjectSource {
  /** Further calls have no effect. */
  start(): void;
  /** Resolves when the listeners know all objects, or when the source is stopped. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
  onChange(listener: ChangeListener): void;
  has(key: string): boolean;
  /** @throws CorruptObjectError */
  get(key: string): KubernetesObject | undefined;
  /** All objects by key, or those of a namespace. */
  entries(namespace?: string): Iterable<readonly [key: string, object: SourceObject]>;
}

/** Objects of this server. What it writes is there before the promise of the write resolves. */
export interface IndexedSource extends ObjectSource {
  /** {@link get} for a caller that uses the object once: nothing is kept. @throws CorruptObjectError */
  read(key: string): KubernetesObject | undefined;
  /** The objects under a key of an index, by their own keys. */
  find(index: ObjectIndex, key: string): Iterable<readonly [key: string, object: SourceObject]>;
  /**
   * Resolves when every change that the store had at the call is known, also one of a write whose outcome is unknown.
   * @throws StorageUnavailableError, ApiError 504
   */
  caughtUp(): Promise<void>;
}
