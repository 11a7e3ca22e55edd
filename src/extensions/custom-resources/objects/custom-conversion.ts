import { CacheRecord } from '../../../cache/record.ts';
import { literalsOf, shareLiterals } from '../../../codec/number-literals.ts';
import { writingOwnership } from '../../../codec/raw-text.ts';
import { coerceEmbeddedResources } from '../../../kinds/validation/metadata-coercion.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { wrapDecodeError, wrapDecodeSteps } from '../../../resources/corrupt-object.ts';
import type { ObjectSchema } from '../../../resources/object-schema.ts';
import { RecentValues } from '../../../resources/recent-values.ts';
import type { StoredResource } from '../../../resources/stored-resource.ts';
import type {
  ConversionCaller,
  DefaultsOptions,
  VersionConversion,
} from '../../../resources/version-conversion.ts';
import { TooManyDefaultsError } from '../../../schema/structural/index.ts';
import { errors } from '../../../status/index.ts';
import { runInTurns, runNow } from '../../../steps/run.ts';
import type { Steps } from '../../../steps/steps.ts';
import { copyWithLiterals } from './copy.ts';
import type { CustomVersion } from './custom-version.ts';
import {
  encodeObject,
  encodePlain,
  isLargeValue,
  objectOf,
  type Plain,
  parseStored,
  parsingStored,
} from './object-json.ts';
import { encodingObject, encodingPlain, hasLargeOwnership } from './object-steps.ts';

/** The versions of a definition that conversions need. */
export interface VersionsOfKind {
  readonly group: string;
  readonly kind: string;
  /** apiVersion in which objects are stored. */
  readonly storageApiVersion: string;
  /** Returns a declared version, served or not. */
  version(apiVersion: string): CustomVersion | undefined;
  /**
   * Stored objects keep the type of floating-point numbers without a fraction: `1.0` is not stored as `1`.
   * CBOR responses distinguish the two.
   */
  readonly keepsFloats: boolean;
}

/** How a converted object is pruned. */
export const CONVERTED = { isObject: true, dropsNulls: true };

/**
 * The conversion of a custom kind whose versions differ in their apiVersion only. Stored objects are pruned
 * and defaulted by the schema of their version, then pruned by the schema of the served version.
 */
export class CustomConversion implements VersionConversion {
  readonly worksInServedVersion = true;
  /** Encoded objects that reading does not change. */
  readonly #complete = new RecentValues();

  constructor(
    protected readonly apiVersion: string,
    protected readonly versions: VersionsOfKind,
    protected readonly stored: StoredResource,
  ) {}

  setDefaults(object: KubernetesObject, options?: DefaultsOptions): void {
    setDefaultsOf(this.version, object, options);
  }

  toWorking(object: KubernetesObject): KubernetesObject {
    // A type that the client sent is validated.
    object.apiVersion ??= this.apiVersion;
    object.kind ??= this.versions.kind;
    return object;
  }

  toServed(object: KubernetesObject): KubernetesObject {
    return object;
  }

  load(record: CacheRecord, caller?: ConversionCaller): KubernetesObject | Promise<KubernetesObject> {
    if (caller !== undefined && isLargeValue(record.value))
      return this.inSteps(record, caller, this.#loading(record));
    const plain = this.isUnchanged(record) ? this.parse(record) : this.toServedPlain(this.read(record));
    return this.object(record, plain);
  }

  *#loading(record: CacheRecord): Steps<KubernetesObject> {
    const plain = this.isUnchanged(record)
      ? yield* this.parsing(record)
      : this.toServedPlain(yield* this.reading(record));
    yield* writingOwnership(plain);
    yield;
    return this.object(record, plain);
  }

  store(given: KubernetesObject, caller: ConversionCaller): Uint8Array | Promise<Uint8Array> {
    const { storageApiVersion, kind, keepsFloats } = this.versions;
    const object = this.apiVersion === storageApiVersion ? given : this.#inStorageVersion(given);
    if (keepsFloats && literalsOf(object) !== undefined)
      return encodeObject(object, { apiVersion: storageApiVersion, kind }, { keepsFloats });
    const { structure } = this.version;
    const isStorageVersion = this.apiVersion === storageApiVersion;
    if (!structure.isSmall(object) || hasLargeOwnership(object))
      return runInTurns(caller.turns, encodingObject(object, { apiVersion: storageApiVersion, kind })).then(
        (value) => {
          if (isStorageVersion && structure.isComplete(object, { isLarge: true })) this.#complete.add(value);
          return value;
        },
      );
    const value = this.stored.codec.encode({ ...object, apiVersion: storageApiVersion, kind });
    if (isStorageVersion && structure.isComplete(object)) this.#complete.add(value);
    return value;
  }

  /** A copy of an object of another version, pruned by the schema of the storage version. */
  #inStorageVersion({ metadata, ...object }: KubernetesObject): KubernetesObject {
    const copy = copyWithLiterals(object);
    runNow(this.versions.version(this.versions.storageApiVersion)!.structure.prune(copy, CONVERTED));
    const stored = { ...copy, ...(metadata && { metadata }) };
    shareLiterals(copy, stored);
    return stored;
  }

  view(record: CacheRecord): CacheRecord {
    if (this.isUnchanged(record)) return record;
    const value = encodePlain(this.toServedPlain(this.read(record)), this.versions);
    return this.viewed(record, value);
  }

  prepare(record: CacheRecord, caller?: ConversionCaller): CacheRecord | Promise<CacheRecord> {
    if (caller === undefined || !isLargeValue(record.value) || this.isUnchanged(record))
      return this.view(record);
    return this.inSteps(record, caller, this.#viewing(record));
  }

  viewing(record: CacheRecord): Steps<CacheRecord> | undefined {
    return isLargeValue(record.value) && !this.isUnchanged(record) ? this.#viewing(record) : undefined;
  }

  *#viewing(record: CacheRecord): Steps<CacheRecord> {
    const plain = this.toServedPlain(yield* this.reading(record));
    yield;
    return this.viewed(record, yield* encodingPlain(plain, this.versions));
  }

  answered(object: KubernetesObject, key: string, revision: number): CacheRecord {
    const { kind, keepsFloats } = this.versions;
    const value = encodeObject(object, { apiVersion: this.apiVersion, kind }, { keepsFloats });
    const record = new CacheRecord(key, revision, value, this.stored.reader);
    record.unchangedFor = this;
    return record;
  }

  convert(object: KubernetesObject, _from: string, to: string): KubernetesObject | Promise<KubernetesObject> {
    return { ...object, apiVersion: to };
  }

  setDefaultsIn(apiVersion: string, object: KubernetesObject): void {
    const version = this.versions.version(apiVersion);
    if (version !== undefined) setDefaultsOf(version, object);
  }

  schemaIn(apiVersion: string): ObjectSchema | undefined {
    return this.versions.version(apiVersion)?.schema;
  }

  protected get version(): CustomVersion {
    return this.versions.version(this.apiVersion)!;
  }

  /** Whether reading the record in the served version does not change its bytes, as far as this is known. */
  protected isUnchanged(record: CacheRecord): boolean {
    if (record.unchangedFor === this) return true;
    if (!this.#complete.has(record.value)) return false;
    record.unchangedFor = this;
    return true;
  }

  /** The record with these bytes of the served version. */
  protected viewed(record: CacheRecord, value: Uint8Array): CacheRecord {
    const same = Buffer.compare(value, record.value) === 0;
    const view = same ? record : new CacheRecord(record.key, record.revision, value, record.reader);
    view.unchangedFor = this;
    return view;
  }

  protected parse({ key, value, corruption }: CacheRecord): Plain {
    if (corruption !== undefined) throw corruption;
    return wrapDecodeError(key, value, () => parseStored(value));
  }

  /** Decodes or encodes a large record. */
  protected inSteps<Result>(
    { key, value }: CacheRecord,
    { turns }: ConversionCaller,
    steps: Steps<Result>,
  ): Promise<Result> {
    return runInTurns(turns, wrapDecodeSteps(key, value, steps));
  }

  protected read(record: CacheRecord): Plain {
    return runNow(this.reading(record));
  }

  /** The plain tree of a stored object, pruned and defaulted by the schema of its version. */
  protected *reading(record: CacheRecord): Steps<Plain> {
    const isLarge = isLargeValue(record.value);
    return yield* this.complete(isLarge ? yield* this.parsing(record) : this.parse(record));
  }

  protected *parsing({ value, corruption }: CacheRecord): Steps<Plain> {
    if (corruption !== undefined) throw corruption;
    return yield* parsingStored(value);
  }

  /** Prunes and defaults the plain tree of a stored object in place. */
  protected *complete(plain: Plain): Steps<Plain> {
    const { structure } = this.#sourceOf(plain);
    yield* structure.prune(plain, { isObject: true });
    yield* withinSize(structure.setDefaults(plain, { isObject: true }));
    coerceEmbeddedResources(yield* structure.embeddedResources(plain), 'drop');
    return plain;
  }

  /** The version of a stored object. */
  #sourceOf({ apiVersion }: Plain): CustomVersion {
    const stored = String(apiVersion);
    const source = this.versions.version(stored);
    if (source === undefined)
      throw errors.conversionFailed(`request to convert CR from an invalid group/version: ${stored}`);
    return source;
  }

  /** Converts a plain tree to the served version, in place. */
  protected toServedPlain(plain: Plain): Plain {
    if (plain.apiVersion === this.apiVersion) return plain;
    plain.apiVersion = this.apiVersion;
    runNow(this.version.structure.prune(plain, CONVERTED));
    return plain;
  }

  protected object(record: CacheRecord, plain: Plain): KubernetesObject {
    const object = wrapDecodeError(record.key, record.value, () => objectOf(plain));
    object.metadata!.resourceVersion = String(record.revision);
    return object;
  }
}

/** @throws ApiError 413 when the defaults are too large */
function* withinSize<Result>(steps: Steps<Result>): Steps<Result> {
  try {
    return yield* steps;
  } catch (error) {
    throw error instanceof TooManyDefaultsError ? errors.requestEntityTooLarge(error.message) : error;
  }
}

/** Sets the defaults of a version in place. @throws ApiError 413 when they are too large */
function setDefaultsOf({ structure }: CustomVersion, object: object, options?: DefaultsOptions): void {
  runNow(withinSize(structure.setDefaults(object, { ...options, isObject: true })));
}
