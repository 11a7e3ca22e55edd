import type { Life } from '../model/life.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';
import type { UserInfo } from '../request/user.ts';
import type { FieldError } from '../status/field-error.ts';
import type { Steps } from '../steps/steps.ts';
import type { FieldReader } from './field-reader.ts';
import type { TableDefinition } from './table.ts';

/** The request context that a strategy receives. */
export interface StrategyContext extends RuleContext {
  readonly user: UserInfo;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty on the main resource. */
  readonly subresource: string;
  readonly namespace: string;
  readonly dryRun: boolean;
  /** Whether privileged containers are allowed (`--allow-privileged`); default false. */
  readonly allowPrivileged?: boolean;
  /** Wall clock, as RFC 3339 seconds. */
  now(): string;
  /**
   * Adds a warning that is sent whether the request succeeds or not; `Strategy.warnings` are sent only on
   * success.
   */
  warn?(text: string): void;
}

/** A check of metadata: of what an update changes, or of the whole. */
export type MetadataCheck = 'change' | 'whole';

/** Reservations of a create or update outside its own key (addresses, ports). */
export interface Allocation {
  /** Keeps the reservations of a stored object and releases those that the old object no longer needs. */
  commit(): void | Promise<void>;
  /** Releases the reservations of an object that was not stored (error, dry run). */
  rollback(): void | Promise<void>;
}

/**
 * Converts between a served version and the storage version. Both functions return a new object or the
 * changed argument.
 */
export interface Conversion {
  toStorage(object: KubernetesObject): KubernetesObject;
  fromStorage(object: KubernetesObject): KubernetesObject;
}

/** Completes the stored objects of other servers. Objects that this server stores are complete. */
export interface StoredCompletion {
  /** Whether a stored message is incomplete; a scan of its fields. @throws DecodeError */
  isIncomplete(message: Uint8Array): boolean;
  complete(object: KubernetesObject): void;
}

/**
 * Converts between the JSON of the storage type and the stored JSON where the two differ. Both functions take
 * and return plain JSON and do not change their argument.
 */
export interface StorageEncoding {
  toStored(plain: Record<string, unknown>): Record<string, unknown>;
  fromStored(plain: Record<string, unknown>): Record<string, unknown>;
}

/**
 * Behaviour of one resource; omitted members follow the general rules of `operations/`.
 * Objects are in the in-memory form of the storage version (`model/object.ts`), with defaults applied, unless
 * stated otherwise. `prepare…` functions may change the object; `validate…` functions must not.
 *
 * General rules:
 * - metadata (names, labels, annotations, owner references, finalizers) is validated for every kind before
 *   `validate` runs
 * - with a `status` subresource: create drops `status` (unless `status.keptOnCreate`), updates of the main
 *   resource keep the old status (unless `status.writtenByUpdates`), updates of `status` keep everything but status
 *   (labels and annotations are updated unless `status.updatesMetadata` is false)
 * - with `managesGeneration`: generation is 1 at creation and incremented when anything but metadata and
 *   status changes; otherwise the client's generation is stored and updates keep it
 */
export interface Strategy {
  readonly defaulting?: DefaultingStrategy;
  /** Conversions by served version, except the storage version. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /** For kinds that are stored as JSON in a version without a type. */
  readonly storageEncoding?: StorageEncoding;
  /**
   * Converts the plain result of a patch that names a version which is not served any more; returns others as
   * they are. @throws ApiError 422
   */
  fromFormerVersion?(plain: unknown): unknown;

  readonly metadata?: MetadataStrategy;

  /** Loads modules that only validation needs; awaited before an object is validated. */
  load?(): Promise<void>;
  /**
   * Drops fields of disabled feature gates on creation and on updates of any subresource; runs before
   * `prepare…`.
   */
  dropDisabledFields?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): void;
  prepareForCreate?(object: KubernetesObject, context: StrategyContext): void;
  /** Runs after the old status has been restored and before the generation is compared. */
  prepareForUpdate?(object: KubernetesObject, old: KubernetesObject, context: StrategyContext): void;
  /**
   * Prepares updates of subresources that write the object (status, approval, ephemeralcontainers, finalize
   * …); replaces the general rule for `status`.
   */
  prepareForSubresource?: Readonly<
    Record<string, (object: KubernetesObject, old: KubernetesObject, context: StrategyContext) => void>
  >;
  validate?(object: KubernetesObject, context: StrategyContext): FieldError[];
  /** Validates an update. `validate` is not called for updates: call it here where the kind requires it. */
  validateUpdate?(object: KubernetesObject, old: KubernetesObject, context: StrategyContext): FieldError[];
  validateSubresource?: Readonly<
    Record<
      string,
      (object: KubernetesObject, old: KubernetesObject, context: StrategyContext) => FieldError[]
    >
  >;
  /**
   * Normalizes a valid object before it is stored (dependent defaults, sorted lists).
   * @param subresource through which it is written; empty or absent for the object itself
   */
  canonicalize?(object: KubernetesObject, subresource?: string): void;
  /** Returns the warnings of a create (`old` is undefined) or an update of the object or its scale. */
  warnings?(object: KubernetesObject, old: KubernetesObject | undefined, context: StrategyContext): string[];
  /** Returns the warnings of an update through a subresource. */
  readonly subresourceWarnings?: Readonly<
    Record<string, (object: KubernetesObject, context: StrategyContext) => string[]>
  >;
  /**
   * Denies a request by throwing an ApiError (escalation checks); runs after mutating admission, before
   * validation.
   */
  authorize?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): void | Promise<void>;
  /**
   * Reserves addresses and ports and writes them into the object; undefined when none are needed. @throws
   * ApiError
   */
  allocate?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): Allocation | undefined | Promise<Allocation | undefined>;
  /** Releases the reservations of a deleted object. */
  release?(object: KubernetesObject): void | Promise<void>;

  /**
   * Paths of the fields that a write resets, so that no field manager owns them, by subresource ('' is the
   * object itself). Absent: the status for the object itself, everything but metadata and status for `status`
   * (and the metadata where `status.updatesMetadata` is false), nothing for other subresources.
   */
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /**
   * Paths of the fields that a subresource writes, where no manager owns others. `*` stands for every item of a list.
   */
  readonly writtenFields?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** PUT of a missing object or of its status creates it. */
  readonly createsOnUpdate?: boolean;
  /** PUT without a resourceVersion is rejected (422): always, or in the versions of which this returns true. */
  readonly requiresResourceVersion?: boolean | ((version: string) => boolean);
  readonly managesGeneration?: boolean;
  /**
   * Returns whether an update increments the generation. Default: anything but metadata and status differs.
   */
  generationChanged?(object: KubernetesObject, old: KubernetesObject): boolean;
  readonly status?: StatusStrategy;
  readonly deletion?: DeletionStrategy;

  /** Returns the time to live of an object in the store in seconds (events). */
  timeToLiveSeconds?(object: KubernetesObject): number | undefined;
  /** Paths of the replicas in spec and status, and the selector, for kinds with `scale`. */
  readonly scale?: ScaleStrategy;
}

/** What completes the objects of a kind. */
export interface DefaultingStrategy {
  /**
   * Defaulting functions by served version: set defaults in an object of that version in place, after
   * decoding and before conversion. They also run on stored objects that another version wrote, so they must
   * be idempotent.
   */
  readonly byVersion?: Readonly<Record<string, (object: KubernetesObject) => void>>;
  /**
   * Set those defaults that take long for a large object, by served version, in steps; {@link byVersion} sets the rest
   * afterwards, and all of them for small objects.
   */
  readonly preparing?: Readonly<Record<string, (object: KubernetesObject) => Steps<void>>>;
  /** Restores what the stored form of an object omits (kind and apiVersion of embedded objects). */
  readonly afterDecoding?: (object: KubernetesObject) => void;
  /** What kube-apiserver completes whenever it reads an object, because its stored form omits it. */
  readonly completion?: StoredCompletion;
  /**
   * New objects are stored without defaults that {@link Strategy.prepareForCreate} removed, or that the version of the
   * request does not have: objects that are read have them, and the first update writes them, even if it
   * changes nothing else.
   */
  readonly creationOmitsDefaults?: boolean;
}

/** How the metadata of a kind differs from that of others. */
export interface MetadataStrategy {
  /** Returns the errors of a name; `prefix` is true for a generateName. Default: DNS-1123 subdomain. */
  validateName?(name: string, prefix: boolean, object?: KubernetesObject): string[];
  /** The releases that validate the name that is made of a generateName only. Default: none. */
  readonly ignoresPrefix?: Life;
  /** A generateName becomes the name without a random suffix. */
  readonly usesGenerateNameAsName?: boolean;
  /** Finalizers without a domain are valid, as for all kinds that extend the API. */
  readonly allowsUnqualifiedFinalizers?: boolean;
  /**
   * Normalizes annotations of a received object that kube-apiserver holds in fields of its internal type.
   * @throws DecodeError
   */
  normalizeAnnotations?(object: KubernetesObject): void;
  /**
   * Annotations that carry fields of other versions: included in objects, omitted from partial object
   * metadata (tables).
   */
  readonly bookkeepingAnnotations?: readonly string[];
  readonly checks?: MetadataChecks;
}

/** What a kind itself checks of the metadata, besides the checks of all kinds; errors that both find are repeated. */
export interface MetadataChecks {
  /** `last`: the metadata of a new object is checked only if the kind's own rules find no error. */
  readonly create?: 'last';
  /** Checks of an update, in order. Default: the change. */
  readonly update?: readonly MetadataCheck[];
  /** Checks of updates through subresources, by name. Default: the change. */
  readonly through?: Readonly<Record<string, readonly MetadataCheck[]>>;
}

/** Who writes the status of a kind with a `status` subresource. */
export interface StatusStrategy {
  /** A new object has the status that the client sent. */
  readonly keptOnCreate?: boolean;
  /** Updates of the main resource write the status too. */
  readonly writtenByUpdates?: boolean;
  /** Whether updates of `status` store labels and annotations; default true. */
  readonly updatesMetadata?: boolean;
  /** An apply to the status of a missing object creates it. */
  readonly applyCreates?: boolean;
}

/** How the objects of a kind are deleted. */
export interface DeletionStrategy {
  /** DELETE returns the object instead of a Status. */
  readonly returnsObject?: boolean;
  /** OpenAPI documents a Status as the response to DELETE, although the object is returned. */
  readonly documentsStatus?: boolean;
  /**
   * Returns the grace period of a deletion in seconds; `requested` is the value in the delete options.
   * Undefined for kinds without graceful deletion.
   */
  gracePeriodSeconds?(object: KubernetesObject, requested: number | undefined): number;
  /**
   * Propagation policy when the client specifies none; `None` for objects that have no dependents. Default:
   * `Background`.
   */
  readonly defaultPropagation?: 'Orphan' | 'Background' | 'None';
  /** Warning of a deletion that orphans dependents because the client specified no propagation policy. */
  readonly orphanWarning?: string;
  /**
   * Returns whether an update that empties the finalizers of a deleted object removes it. Default: no
   * finalizers are left and the grace period is zero or absent.
   */
  isFinalized?(object: KubernetesObject): boolean;
  /** Changes an object that is marked for deletion (namespaces: phase Terminating). */
  prepare?(object: KubernetesObject): void;
  readonly byName?: DeletionByName;
}

/** Rules of a deletion by name. As in kube-apiserver, they do not hold for the objects of a deleted collection. */
export interface DeletionByName {
  /** Denies a deletion by throwing an ApiError. */
  check?(object: KubernetesObject, context: StrategyContext): void;
  /**
   * For a kind that the server itself cleans up: adds its finalizer to an object whose deletion begins. The
   * object gets no grace period, no new generation and no finalizer for dependents.
   * @param now RFC 3339 in seconds
   */
  mark?(object: KubernetesObject, now: string): void;
  /** Failed preconditions are reported like those of an update. */
  readonly reportsPreconditionsAsUpdate?: boolean;
  /** What `orphanDependents: false` means when the deletion begins; default `Background`. */
  readonly unorphanedPropagation?: 'Foreground';
}

/**
 * Values of a resource's selectable fields by label, beyond metadata.name and metadata.namespace. Objects are
 * in the storage version; a field without a value is the empty string.
 */
export type FieldSelectors = Readonly<Record<string, FieldReader>>;

/** How the `scale` subresource reads and writes objects. */
export interface ScaleStrategy {
  readonly specPath: readonly string[];
  /**
   * Path of the replicas in another version; empty for a version without scale, undefined for an unknown one.
   * Absent: the same in every version.
   */
  specPathIn?(apiVersion: string): readonly string[] | undefined;
  readonly statusPath: readonly string[];
  /** @throws ApiError 500 for an object whose values are of other types than a Scale */
  selector(object: KubernetesObject): string;
  /**
   * The fields are declared by a definition: replicas may be unset or have another type, errors name the
   * scaled resource, and its validation checks what a Scale sets. Otherwise absent replicas are 0, and a
   * Scale is validated by itself.
   */
  readonly declared?: boolean;
  /** A missing object is reported as one of the resource, not of its `scale`. */
  readonly missesResource?: boolean;
  /** Table of the Scales of a declared scale. */
  readonly table?: TableDefinition;
}
