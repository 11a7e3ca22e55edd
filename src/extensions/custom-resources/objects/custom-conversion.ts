import { CacheRecord } from '../../../cache/record.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { wrapDecodeError } from '../../../registry/corrupt-object.ts';
import type { ObjectSchema } from '../../../registry/object-schema.ts';
import type { StoredResource } from '../../../registry/stored-resource.ts';
import type { VersionConversion } from '../../../registry/version-conversion.ts';
import { errors } from '../../../status/index.ts';
import type { CustomVersion } from './custom-version.ts';
import { objectOf, parseStored } from './object-json.ts';

type Plain = { [member: string]: unknown };

/** The versions of a definition that conversions need. */
export interface VersionsOfKind {
  readonly group: string;
  readonly kind: string;
  /** apiVersion in which objects are stored. */
  readonly storageApiVersion: string;
  /** Returns a declared version, served or not. */
  version(apiVersion: string): CustomVersion | undefined;
}

/**
 * The conversion of a custom kind whose versions differ in their apiVersion only. Stored objects are pruned
 * and defaulted by the schema of their version, then pruned by the schema of the served version.
 */
export class CustomConversion implements VersionConversion {
  readonly worksInServedVersion = true;

  constructor(
    private readonly apiVersion: string,
    private readonly versions: VersionsOfKind,
    private readonly stored: StoredResource,
  ) {}

  setDefaults(object: KubernetesObject): void {
    this.#version.structure.setDefaults(object, { isObject: true });
  }

  toWorking(object: KubernetesObject): KubernetesObject {
    object.apiVersion = this.apiVersion;
    object.kind = this.versions.kind;
    return object;
  }

  toServed(object: KubernetesObject): KubernetesObject {
    return object;
  }

  load(record: CacheRecord): KubernetesObject {
    if (record.corruption !== undefined) throw record.corruption;
    const plain = record.unchangedFor === this ? this.#parse(record) : this.#servedPlain(record);
    return this.#object(record, plain);
  }

  store(object: KubernetesObject): Uint8Array {
    const { storageApiVersion, kind } = this.versions;
    return this.stored.codec.encode({ ...object, apiVersion: storageApiVersion, kind });
  }

  view(record: CacheRecord): CacheRecord {
    if (record.corruption !== undefined) throw record.corruption;
    if (record.unchangedFor === this) return record;
    const object = this.#object(record, this.#servedPlain(record));
    const value = this.stored.codec.encode(object);
    if (Buffer.compare(value, record.value) === 0) {
      record.unchangedFor = this;
      return record;
    }
    return new CacheRecord(record.key, record.revision, value, record.reader);
  }

  prepare(record: CacheRecord): CacheRecord {
    return this.view(record);
  }

  convert(object: KubernetesObject, _from: string, to: string): KubernetesObject {
    return { ...object, apiVersion: to };
  }

  schemaIn(apiVersion: string): ObjectSchema | undefined {
    return this.versions.version(apiVersion)?.schema;
  }

  get #version(): CustomVersion {
    return this.versions.version(this.apiVersion)!;
  }

  #parse(record: CacheRecord): Plain {
    return wrapDecodeError(record.key, () => parseStored(record.value));
  }

  /** The plain tree of a stored object in the served version. */
  #servedPlain(record: CacheRecord): Plain {
    const plain = this.#parse(record);
    const stored = String(plain.apiVersion);
    const source = this.versions.version(stored);
    if (source === undefined)
      throw errors.internal(`request to convert CR from an invalid group/version: ${stored}`);
    source.structure.prune(plain, { isObject: true });
    source.structure.setDefaults(plain, { isObject: true });
    if (stored !== this.apiVersion) this.#version.structure.prune(plain, { isObject: true });
    plain.apiVersion = this.apiVersion;
    return plain;
  }

  #object(record: CacheRecord, plain: Plain): KubernetesObject {
    const object = wrapDecodeError(record.key, () => objectOf(plain).value);
    object.metadata!.resourceVersion = String(record.revision);
    return object;
  }
}
