import { PastStates } from '../cache/past-state.ts';
import type { CacheRecord, RecordHeader, RecordReader } from '../cache/record.ts';
import { ResourceCache } from '../cache/resource-cache.ts';
import { envelopeMessage } from '../codec/envelope.ts';
import { decodeMetadata } from '../codec/protobuf.ts';
import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import { messageType } from '../model/scheme.ts';
import type { MessageType } from '../schema/message.ts';
import { fromKey, type Storage, toKey } from '../storage/storage.ts';
import { wrapDecodeError } from './corrupt-object.ts';
import { type StorageCodec, storageCodec } from './kind-codec.ts';
import type { StorageRow } from './resource-set.ts';
import type { Strategy } from './strategy.ts';

export const REGISTRY_ROOT = '/registry/';

export interface StoredResourceOptions {
  readonly storage: Storage;
  readonly row: StorageRow;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Type of the storage version. */
  readonly type: MessageType;
  /**
   * Strategy of the group of the storage version, which determines encoding and decoding. The rest of a
   * strategy belongs to the served version.
   */
  readonly strategy: Pick<Strategy, 'storageEncoding' | 'afterDecoding'>;
  /** Size of the watch event ring buffer in bytes; 0 disables it (`--watch-cache=false`). */
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
  readonly #afterDecoding: Strategy['afterDecoding'];

  constructor({ storage, row, kind, type, strategy, eventBytes }: StoredResourceOptions) {
    this.prefix = `${REGISTRY_ROOT}${row.prefix}/`;
    this.codec = storageCodec(row, kind, type, strategy.storageEncoding);
    this.storage = storage;
    this.#afterDecoding = strategy.afterDecoding;
    this.kind = kind;
    this.reader = this.#reader(row);
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
    if (record.damage !== undefined) throw record.damage;
    return wrapDecodeError(record.key, () => {
      const object = this.codec.decode(record.value, record.revision);
      this.#afterDecoding?.(object);
      return object;
    });
  }

  #reader(row: StorageRow): RecordReader {
    const objectMeta = row.encoding === 'json' ? undefined : messageType('meta_v1.ObjectMeta');
    const metadataOf = (value: Uint8Array): ObjectMeta =>
      objectMeta === undefined
        ? (this.codec.decode(value, 0).metadata ?? {})
        : (decodeMetadata(objectMeta, envelopeMessage(value)) as ObjectMeta);
    return {
      // Corruption is reported, never ignored: a controller takes an object that a selector omits as deleted.
      header({ key, value, damage }): RecordHeader {
        if (damage !== undefined) throw damage;
        const { uid, labels, deletionTimestamp } = wrapDecodeError(key, () => metadataOf(value));
        return { uid: uid ?? '', labels, deletionTimestamp };
      },
    };
  }
}
