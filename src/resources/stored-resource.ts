import { PastStates } from '../cache/past-state.ts';
import type { CacheRecord, RecordHeader, RecordReader } from '../cache/record.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { fromKey, type Storage, toKey } from '../storage/storage.ts';
import { wrapDecodeError, wrapDecodeSteps } from './corrupt-object.ts';
import type { StorageCodec } from './kind-codec.ts';
import { RecentObjects } from './recent-objects.ts';
import type { StoredForm } from './resource-definition.ts';

export const REGISTRY_ROOT = '/registry/';

export interface StoredResourceOptions {
  readonly storage: Storage;
  /** Key prefix below `/registry/`. */
  readonly prefix: string;
  readonly kind: string;
  readonly form: StoredForm;
  /** Maximum bytes of recent events; 0 keeps none (`--watch-cache=false`). */
  readonly eventBytes: number;
}

/** The objects under one storage prefix, in whatever versions they are served: keys, codec and cache. */
export class StoredResource {
  readonly prefix: string;
  readonly codec: StorageCodec;
  readonly cache: ResourceCache;
  readonly past: PastStates;
  readonly storage: Storage;
  readonly kind: string;
  readonly reader: RecordReader;
  readonly #form: StoredForm;
  readonly #recent: RecentObjects | undefined;

  constructor({ storage, prefix, kind, form, eventBytes }: StoredResourceOptions) {
    this.prefix = `${REGISTRY_ROOT}${prefix}/`;
    this.codec = form.codec;
    this.#form = form;
    this.storage = storage;
    this.kind = kind;
    this.reader = readerOf(form);
    this.#recent = form.keepsRecent === true ? new RecentObjects() : undefined;
    this.past = new PastStates(storage, this.reader);
    this.cache = new ResourceCache({ storage, prefix: this.prefix, reader: this.reader, eventBytes });
  }

  /** Returns the key of an object; `namespace` is empty for cluster-scoped kinds. */
  key(namespace: string, name: string): string {
    return toKey(namespace === '' ? this.prefix + name : `${this.prefix}${namespace}/${name}`);
  }

  /** Returns the key prefix of all objects, or of those in one namespace. */
  scope(namespace: string): string {
    return namespace === '' ? this.prefix : toKey(`${this.prefix}${namespace}/`);
  }

  /** Returns the namespace in a key; empty for cluster-scoped kinds. */
  namespaceOf(key: string): string {
    const rest = key.slice(this.prefix.length);
    const slash = rest.indexOf('/');
    return slash < 0 ? '' : fromKey(rest.slice(0, slash));
  }

  /** @throws CorruptObjectError */
  decode(record: CacheRecord): KubernetesObject {
    if (record.corruption !== undefined) throw record.corruption;
    return wrapDecodeError(record.key, record.value, () => this.codec.decode(record.value, record.revision));
  }

  /** Decodes the metadata of a record and nothing else. @throws CorruptObjectError */
  metadata(record: CacheRecord): ObjectMeta {
    return metadataOf(record, this.#form);
  }

  /**
   * Returns a function that reads a text from the stored bytes without decoding the object; undefined where objects
   * are not stored so. An absent text is the empty string. The function throws CorruptObjectError.
   * @param path members of the storage version
   */
  textReader(path: readonly string[]): ((record: CacheRecord) => string) | undefined {
    const read = this.#form.textReader?.(path);
    return (
      read &&
      (({ key, value, corruption }) => {
        if (corruption !== undefined) throw corruption;
        return wrapDecodeError(key, value, () => read(value));
      })
    );
  }

  /** {@link decode} in steps of some milliseconds. @throws CorruptObjectError */
  *decoding(record: CacheRecord): Steps<KubernetesObject> {
    if (!this.isDecodedInSteps(record)) return this.decode(record);
    if (record.corruption !== undefined) throw record.corruption;
    const { key, value, revision } = record;
    return yield* wrapDecodeSteps(key, value, this.codec.decoding!(value, revision));
  }

  /** Whether a record is to be decoded in steps. */
  isDecodedInSteps(record: CacheRecord): boolean {
    return this.codec.decoding !== undefined && isLarge(record);
  }

  /** Whether the shared object of a record exists already, so that {@link decodeShared} takes no time. */
  isKnown(record: CacheRecord): boolean {
    return this.#recent?.has(record) === true;
  }

  /** {@link decodeShared} in steps of some milliseconds. @throws CorruptObjectError */
  *decodingShared(record: CacheRecord): Steps<KubernetesObject> {
    if (this.isKnown(record)) return this.decodeShared(record);
    const object = yield* this.decoding(record);
    return this.#recent?.get(record, () => object) ?? object;
  }

  /**
   * Makes what the record of a value needs that is about to be stored, in steps: creating the record then takes no
   * time. Undefined where it does not take long anyway.
   */
  preparing(value: Uint8Array): Steps<void> | undefined {
    if (value.length <= stepSizes.objectBytes) return undefined;
    return this.#recent !== undefined && this.codec.decoding !== undefined
      ? this.#preparingObject(value, this.#recent)
      : this.#form.findingWrittenForm?.(value);
  }

  /** Also decodes the object for the readers of its change, who have no steps. */
  *#preparingObject(value: Uint8Array, recent: RecentObjects): Steps<void> {
    yield* this.#form.findingWrittenForm?.(value) ?? [];
    yield;
    recent.expect(value, yield* this.codec.decoding!(value, 0));
  }

  /** {@link decode} for callers that do not change the object, which others may have too. */
  decodeShared(record: CacheRecord): KubernetesObject {
    return this.#recent?.get(record, () => this.decode(record)) ?? this.decode(record);
  }
}

const isLarge = ({ value }: CacheRecord): boolean => value.length > stepSizes.objectBytes;

function readerOf(form: StoredForm): RecordReader {
  return {
    writtenForm: form.writtenForm,
    // Corruption is reported, never ignored: a controller takes an object that a selector omits as deleted.
    header(record): RecordHeader {
      const { uid, labels, deletionTimestamp } = metadataOf(record, form);
      return { uid: uid ?? '', labels, deletionTimestamp };
    },
  };
}

function metadataOf({ key, value, corruption }: CacheRecord, form: StoredForm): ObjectMeta {
  if (corruption !== undefined) throw corruption;
  return wrapDecodeError(key, value, () => form.metadata(value));
}
