import { CacheRecord } from '../../../cache/record.ts';
import { literalsOf } from '../../../codec/number-literals.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { wrapDecodeError } from '../../../registry/corrupt-object.ts';
import type { ObjectSchema } from '../../../registry/object-schema.ts';
import { RecentValues } from '../../../registry/recent-values.ts';
import type { StoredResource } from '../../../registry/stored-resource.ts';
import { coerceEmbeddedResources } from '../../../registry/validation/metadata-coercion.ts';
import type {
  ConversionCaller,
  DefaultsOptions,
  VersionConversion,
} from '../../../registry/version-conversion.ts';
import { TooManyDefaultsError } from '../../../schema/structural/index.ts';
import { errors } from '../../../status/index.ts';
import type { CustomVersion } from './custom-version.ts';
import { encodeObject, encodePlain, objectOf, type Plain, parseStored } from './object-json.ts';

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

  load(record: CacheRecord): KubernetesObject | Promise<KubernetesObject> {
    const plain = this.isUnchanged(record) ? this.parse(record) : this.toServedPlain(this.read(record));
    return this.object(record, plain);
  }

  store(object: KubernetesObject, _caller: ConversionCaller): Uint8Array | Promise<Uint8Array> {
    const { storageApiVersion, kind, keepsFloats } = this.versions;
    if (keepsFloats && literalsOf(object) !== undefined)
      return encodeObject(object, { apiVersion: storageApiVersion, kind }, { keepsFloats });
    const value = this.stored.codec.encode({ ...object, apiVersion: storageApiVersion, kind });
    if (this.apiVersion === storageApiVersion && this.version.structure.isComplete(object))
      this.#complete.add(value);
    return value;
  }

  view(record: CacheRecord): CacheRecord {
    if (this.isUnchanged(record)) return record;
    const value = encodePlain(this.toServedPlain(this.read(record)), this.versions);
    return this.viewed(record, value);
  }

  prepare(record: CacheRecord): CacheRecord | Promise<CacheRecord> {
    return this.view(record);
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

  /** The plain tree of a stored object, pruned and defaulted by the schema of its version. */
  protected read(record: CacheRecord): Plain {
    return this.complete(this.parse(record));
  }

  /** Prunes and defaults the plain tree of a stored object in place. */
  protected complete(plain: Plain): Plain {
    const stored = String(plain.apiVersion);
    const source = this.versions.version(stored);
    if (source === undefined)
      throw errors.conversionFailed(`request to convert CR from an invalid group/version: ${stored}`);
    source.structure.prune(plain, { isObject: true });
    setDefaultsOf(source, plain);
    coerceEmbeddedResources(source.structure.embeddedResources(plain), 'drop');
    return plain;
  }

  /** Converts a plain tree to the served version, in place. */
  protected toServedPlain(plain: Plain): Plain {
    if (plain.apiVersion === this.apiVersion) return plain;
    plain.apiVersion = this.apiVersion;
    this.version.structure.prune(plain, { isObject: true, dropsNulls: true });
    return plain;
  }

  protected object(record: CacheRecord, plain: Plain): KubernetesObject {
    const object = wrapDecodeError(record.key, record.value, () => objectOf(plain));
    object.metadata!.resourceVersion = String(record.revision);
    return object;
  }
}

/** Sets the defaults of a version in place. @throws ApiError 413 when they are too large */
function setDefaultsOf({ structure }: CustomVersion, object: object, options?: DefaultsOptions): void {
  try {
    structure.setDefaults(object, { ...options, isObject: true });
  } catch (error) {
    if (error instanceof TooManyDefaultsError) throw errors.requestEntityTooLarge(error.message);
    throw error;
  }
}
