import type { KubernetesObject } from '../model/object.ts';
import type { UserInfo } from '../request/user.ts';
import type { FieldError } from '../status/field-error.ts';

/** What a strategy may know about the request it serves. */
export interface StrategyContext {
  readonly user: UserInfo;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty on the main resource. */
  readonly subresource: string;
  readonly namespace: string;
  readonly dryRun: boolean;
  /** Privileged containers may be created (`--allow-privileged`); default false. */
  readonly allowPrivileged?: boolean;
  /** Whether a feature gate is on; absent: all are as the release has them. */
  isOn?(gate: string): boolean;
  /** Wall clock, as RFC 3339 seconds. */
  now(): string;
  /**
   * Adds a warning that is answered whether the request succeeds or not; see `Strategy.warnings` for the
   * others.
   */
  warn?(text: string): void;
}

/** Reservations a create or update makes outside its own key (addresses, ports). */
export interface Allocation {
  /** The object was stored: keep the reservation, release what the old object no longer holds. */
  commit(): void | Promise<void>;
  /** The object was not stored (error, dry run): give back what was reserved. */
  rollback(): void | Promise<void>;
}

/**
 * How one version's form becomes the storage version's form, and back. Both return a new object or the same
 * one changed.
 */
export interface Conversion {
  toStorage(object: KubernetesObject): KubernetesObject;
  fromStorage(object: KubernetesObject): KubernetesObject;
}

/**
 * The JSON that is stored where it is not the JSON of the storage type. Both take and give plain trees and
 * leave their argument alone.
 */
export interface StorageEncoding {
  toStored(plain: Record<string, unknown>): Record<string, unknown>;
  fromStored(plain: Record<string, unknown>): Record<string, unknown>;
}

/**
 * What a resource fills in; everything not given follows the general rule of `operations/`.
 * Objects are in the storage version's in-memory form (`model/object.ts`), with defaults applied, unless said
 * otherwise. Functions that prepare may change the object; functions that validate must not.
 *
 * General rules, so that most strategies are short:
 * - metadata (names, labels, annotations, owner references, finalizers) is validated for every kind before
 *   `validate` runs
 * - with a `status` subresource: create drops `status` (unless `keepsStatusOnCreate`), updates of the main
 *   resource keep the old status, updates of `status` keep everything but status (labels and annotations sent
 *   to it are kept unless `statusUpdatesMetadata` is false)
 * - with `managesGeneration`: generation is 1 at creation and is raised when anything but metadata and status
 *   changed; otherwise a client's generation is stored as given and kept by updates
 */
export interface Strategy {
  /**
   * Defaulting, by served version: fills in an object of that version in place, after decoding and before
   * conversion. Also run on objects read from a store that another version wrote. It must be idempotent.
   */
  readonly defaults?: Readonly<Record<string, (object: KubernetesObject) => void>>;
  /**
   * Puts back into an object read from the store what its stored form cannot hold (kind and apiVersion of
   * objects inside objects).
   */
  readonly afterDecoding?: (object: KubernetesObject) => void;
  /** By served version other than the storage version. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /** Of kinds stored as JSON in a version that no type describes. */
  readonly storageEncoding?: StorageEncoding;

  /** Loads what validation needs and starting does not; awaited before an object is validated. */
  load?(): Promise<void>;
  /**
   * Does what of validating a new object or an update takes long, in parts between which others are served;
   * what it finds is for `validate` to tell.
   */
  validateAsync?(object: KubernetesObject, old: KubernetesObject | undefined): Promise<void>;
  /**
   * Texts about a wrong name; `prefix` is true for a generateName; `object` is the one to be named. Default:
   * DNS-1123 subdomain.
   */
  validateName?(name: string, prefix: boolean, object?: KubernetesObject): string[];
  /**
   * Removes members of features that are off, of a new object or an update of any subresource; runs before
   * what prepares.
   */
  dropDisabledFields?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): void;
  prepareForCreate?(object: KubernetesObject, context: StrategyContext): void;
  /** Runs once the old status stands in the object, before the generation is counted. */
  prepareForUpdate?(object: KubernetesObject, old: KubernetesObject, context: StrategyContext): void;
  /**
   * For subresources that write the object (status, approval, ephemeralcontainers, finalize …): replaces the
   * general rule for `status`.
   */
  prepareForSubresource?: Readonly<
    Record<string, (object: KubernetesObject, old: KubernetesObject, context: StrategyContext) => void>
  >;
  validate?(object: KubernetesObject, context: StrategyContext): FieldError[];
  /**
   * Called with the new and the old object; `validate` is NOT called for updates: call it here where the kind
   * does.
   */
  validateUpdate?(object: KubernetesObject, old: KubernetesObject, context: StrategyContext): FieldError[];
  validateSubresource?: Readonly<
    Record<
      string,
      (object: KubernetesObject, old: KubernetesObject, context: StrategyContext) => FieldError[]
    >
  >;
  /** Last shaping after validation (defaults that depend on a valid object, sorted lists). */
  canonicalize?(object: KubernetesObject): void;
  /** Warning texts of a create (`old` undefined) or an update. */
  warnings?(object: KubernetesObject, old: KubernetesObject | undefined, context: StrategyContext): string[];
  /** Refuses by throwing an ApiError (escalation checks); runs after admission, before validation. */
  authorize?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): void | Promise<void>;
  /**
   * Reserves addresses and ports, writing them into the object; undefined when nothing is needed. Throws
   * ApiError.
   */
  allocate?(
    object: KubernetesObject,
    old: KubernetesObject | undefined,
    context: StrategyContext,
  ): Allocation | undefined | Promise<Allocation | undefined>;
  /** Gives back what a deleted object held. */
  release?(object: KubernetesObject): void | Promise<void>;

  /**
   * Members that writes of the object itself cannot set, so that nobody comes to own them. Status is always
   * among them.
   */
  readonly resetFields?: readonly (readonly string[])[];
  /** A generateName becomes the name as it is: nothing is added. */
  readonly usesGenerateNameAsName?: boolean;
  /** Finalizers without a domain are allowed, as for all kinds that extend the API. */
  readonly allowsUnqualifiedFinalizers?: boolean;
  /** An update checks the whole metadata like a creation: errors in it stand among the causes once more. */
  readonly revalidatesMetadataOnUpdate?: boolean;
  /** PUT to a missing name creates. */
  readonly createsOnUpdate?: boolean;
  /** PUT without a resourceVersion is refused (422). */
  readonly requiresResourceVersion?: boolean;
  readonly managesGeneration?: boolean;
  /**
   * Whether a change of the object raises its generation; default: anything but metadata and status differs.
   */
  generationChanged?(object: KubernetesObject, old: KubernetesObject): boolean;
  readonly keepsStatusOnCreate?: boolean;
  /** Labels and annotations sent to /status are stored; default true. */
  readonly statusUpdatesMetadata?: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /** OpenAPI documents a Status as the answer to DELETE, although the object is returned. */
  readonly documentsDeletedStatus?: boolean;
  /**
   * Seconds of grace of a deletion: undefined where the kind has no graceful deletion. `requested` is the
   * option as given.
   */
  gracePeriodSeconds?(object: KubernetesObject, requested: number | undefined): number;
  /** Propagation when the client names none. Default: `Background`. */
  readonly defaultPropagation?: 'Orphan' | 'Background';
  /** Warning of a deletion that orphans because the client named no propagation. */
  readonly orphanWarning?: string;
  /**
   * Whether an update with an empty finalizer list of a deleted object removes it. Default: no finalizers
   * left and no grace period running.
   */
  isFinalized?(object: KubernetesObject): boolean;
  /** A refusal of deletion (throws ApiError). */
  checkDelete?(object: KubernetesObject, context: StrategyContext): void;
  /** What a deletion changes beyond the general mark (namespaces: phase Terminating). */
  prepareForDeletion?(object: KubernetesObject): void;

  /** Field labels of selectors beyond metadata.name and metadata.namespace, with their value in an object. */
  readonly selectableFields?: Readonly<Record<string, (object: KubernetesObject) => string>>;
  /**
   * Annotations that stand in for fields of other versions: shown on the object, left out where its metadata
   * is shown alone (tables).
   */
  readonly bookkeepingAnnotations?: readonly string[];
  /** Seconds after which the store forgets the object (events). */
  timeToLiveSeconds?(object: KubernetesObject): number | undefined;
  /** Where the replicas, the status replicas and the selector stand, for kinds with `scale`. */
  readonly scale?: {
    readonly specPath: readonly string[];
    readonly statusPath: readonly string[];
    selector(object: KubernetesObject): string;
  };
}
