import type { PastStates } from '../cache/past-state.ts';
import type { CacheRecord } from '../cache/record.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { copyContainers } from '../codec/copy.ts';
import type { Conversion, Strategy } from '../kinds/strategy.ts';
import type { KubernetesObject } from '../model/object.ts';
import { isLarge, runInTurns, type SizedWork } from '../steps/run.ts';
import type { Steps } from '../steps/steps.ts';
import type { MaybePromise } from '../storage/storage.ts';
import type { ObjectSchema } from './object-schema.ts';
import type { ResourceRow } from './resource-set.ts';
import type { StoredResource } from './stored-resource.ts';

/** The request that waits for a conversion; the conversion ends with it. */
export interface ConversionCaller extends SizedWork {
  readonly exchange: { onFinished(callback: () => void): void };
}

/**
 * How one served version reads stored records and writes objects. Operations handle objects in the *working
 * version*: the storage version for built-in kinds, the version of the request for custom kinds.
 *
 * A promise means that the result depends on something outside the process (a conversion webhook), or that an
 * object is encoded in steps; other conversions return values.
 */
export interface VersionConversion {
  /** The working version is the served version, so that objects need no conversion between the two. */
  readonly worksInServedVersion: boolean;
  /** Objects of the working version are those of the served version, except for their apiVersion. */
  readonly differsInApiVersionOnly?: boolean;
  /**
   * Cache and past states with the objects of this version, for lists and watches of a version that is
   * converted outside the process; absent: those of the stored resource.
   */
  readonly derived?: DerivedState;
  /** Applies the defaults of the served version in place. Idempotent. */
  setDefaults(object: KubernetesObject, options?: DefaultsOptions): void;
  /** Converts an object of the served version to the working version; may change its argument. */
  toWorking(object: KubernetesObject): KubernetesObject;
  /** Converts an object of the working version to the served version; may change its argument. */
  toServed(object: KubernetesObject): KubernetesObject;
  /**
   * Decodes a record into an object of the working version that the caller owns.
   * @throws CorruptObjectError, ApiError when the conversion fails
   */
  load(record: CacheRecord, caller?: ConversionCaller): MaybePromise<KubernetesObject>;
  /**
   * {@link load} for callers that do not change the object, which others may have too. Absent, or undefined for
   * an object that is decoded in steps: no object is shared.
   */
  loadShared?(record: CacheRecord): KubernetesObject | undefined;
  /** Encodes an object of the working version for storage. @throws ApiError when the conversion fails */
  store(object: KubernetesObject, caller: ConversionCaller): MaybePromise<Uint8Array>;
  /**
   * Returns the record from which the served version is encoded: same key and revision, bytes of the served
   * version. For a conversion outside the process, the record must be prepared.
   * @throws CorruptObjectError
   */
  view(record: CacheRecord): CacheRecord;
  /** {@link view} in steps; absent, or undefined for a record with which it takes no time. */
  viewing?(record: CacheRecord): Steps<CacheRecord> | undefined;
  /** Makes the record for {@link view}. @throws ApiError when the conversion fails */
  prepare(record: CacheRecord, caller?: ConversionCaller): MaybePromise<CacheRecord>;
  /**
   * Returns the record of an object of the working version that is answered but not stored, where the stored
   * form would have lost members. Absent: the stored form has all members.
   */
  answered?(object: KubernetesObject, key: string, revision: number): CacheRecord;
  /**
   * Converts an object of the working or served version between two versions of the kind, for the field
   * manager. The given object is not changed.
   */
  convert(
    object: KubernetesObject,
    from: string,
    to: string,
    caller?: ConversionCaller,
  ): MaybePromise<KubernetesObject>;
  /** Applies the defaults of a version of the kind in place; nothing for a version that is not known. */
  setDefaultsIn(apiVersion: string, object: KubernetesObject): void;
  /** Returns the schema of a version of the kind; undefined for a version that is not known. */
  schemaIn(apiVersion: string): ObjectSchema | undefined;
}

/** The objects of one version, converted when they are listed or change. */
export interface DerivedState {
  readonly cache: ResourceCache;
  readonly past: PastStates;
}

/** How defaults are applied. */
export interface DefaultsOptions {
  /** Members that are null and have no default stay, to be refused by validation. Default: they are removed. */
  readonly keepsNulls?: boolean;
}

const IDENTITY: Conversion = { toStorage: (object) => object, fromStorage: (object) => object };

/** The conversion of a built-in kind: the strategy's functions. All records can be read in any version. */
export class BuiltinConversion implements VersionConversion {
  readonly worksInServedVersion: boolean;
  readonly differsInApiVersionOnly: boolean;
  readonly #conversion: Conversion;
  readonly #defaults: ((object: KubernetesObject) => void) | undefined;
  readonly #apiVersion: string;

  constructor(
    private readonly row: ResourceRow,
    apiVersion: string,
    private readonly stored: StoredResource,
    strategy: Strategy,
    /** Returns conversion and schema of the same stored kind in another version, served or not. */
    private readonly inVersion: (
      apiVersion: string,
    ) => { readonly conversion: VersionConversion; readonly schema: ObjectSchema } | undefined,
  ) {
    this.#apiVersion = apiVersion;
    this.worksInServedVersion = row.storage?.apiVersion === apiVersion;
    this.#conversion = strategy.conversions?.[row.version] ?? IDENTITY;
    this.differsInApiVersionOnly = this.#conversion === IDENTITY;
    this.#defaults = strategy.defaulting?.byVersion?.[row.version];
  }

  setDefaults(object: KubernetesObject): void {
    this.#defaults?.(object);
  }

  toWorking(object: KubernetesObject): KubernetesObject {
    const converted = this.worksInServedVersion ? object : this.#conversion.toStorage(object);
    converted.apiVersion = this.row.storage?.apiVersion ?? this.#apiVersion;
    converted.kind = this.row.kind;
    return converted;
  }

  toServed(object: KubernetesObject): KubernetesObject {
    if (this.worksInServedVersion) return object;
    const converted = this.#conversion.fromStorage(object);
    converted.apiVersion = this.#apiVersion;
    converted.kind = this.row.kind;
    return converted;
  }

  load(record: CacheRecord, caller?: ConversionCaller): MaybePromise<KubernetesObject> {
    return caller !== undefined && this.stored.isDecodedInSteps(record)
      ? runInTurns(caller.turns, this.stored.decoding(record))
      : this.stored.decode(record);
  }

  loadShared(record: CacheRecord): KubernetesObject | undefined {
    return this.stored.isDecodedInSteps(record) ? undefined : this.stored.decodeShared(record);
  }

  store(object: KubernetesObject, caller: ConversionCaller): MaybePromise<Uint8Array> {
    const { codec } = this.stored;
    return codec.encoding !== undefined && isLarge(caller)
      ? runInTurns(caller.turns, codec.encoding(object))
      : codec.encode(object);
  }

  view(record: CacheRecord): CacheRecord {
    return record;
  }

  prepare(record: CacheRecord): CacheRecord {
    return record;
  }

  convert(object: KubernetesObject, from: string, to: string): KubernetesObject {
    const copy = copyContainers(object);
    const working = this.inVersion(from)?.conversion.toWorking(copy) ?? copy;
    return this.inVersion(to)?.conversion.toServed(working) ?? working;
  }

  setDefaultsIn(apiVersion: string, object: KubernetesObject): void {
    this.inVersion(apiVersion)?.conversion.setDefaults(object);
  }

  schemaIn(apiVersion: string): ObjectSchema | undefined {
    return this.inVersion(apiVersion)?.schema;
  }
}
