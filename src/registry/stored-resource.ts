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
  /** The storage version's type. */
  readonly type: MessageType;
  /**
   * Of the group whose version is stored: how bytes are read and written. What else a strategy says belongs
   * to the served version.
   */
  readonly strategy: Pick<Strategy, 'storageEncoding' | 'afterDecoding'>;
  /** Bytes of recent events kept; 0 turns the event memory off (`--watch-cache=false`). */
  readonly eventBytes: number;
}

/** What is stored under one prefix, whatever versions serve it: keys, bytes, the cache over them. */
export class StoredResource {
  readonly prefix: string;
  readonly codec: StorageCodec;
  readonly cache: ResourceCache;
  readonly past: PastStates;
  readonly storage: Storage;
  readonly kind: string;
  readonly type: MessageType;
  readonly reader: RecordReader;
  readonly #afterDecoding: Strategy['afterDecoding'];

  constructor({ storage, row, kind, type, strategy, eventBytes }: StoredResourceOptions) {
    this.prefix = `${REGISTRY_ROOT}${row.prefix}/`;
    this.codec = storageCodec(row, kind, type, strategy.storageEncoding);
    this.storage = storage;
    this.#afterDecoding = strategy.afterDecoding;
    this.kind = kind;
    this.type = type;
    this.reader = this.#reader(row);
    this.past = new PastStates(storage, this.reader);
    this.cache = new ResourceCache({ storage, prefix: this.prefix, reader: this.reader, eventBytes });
  }

  /** Key of an object; `namespace` is empty for cluster-scoped kinds. */
  key(namespace: string, name: string): string {
    return toKey(namespace === '' ? this.prefix + name : `${this.prefix}${namespace}/${name}`);
  }

  /** Prefix of all objects, or of those in one namespace. */
  scope(namespace: string): string {
    return namespace === '' ? this.prefix : toKey(`${this.prefix}${namespace}/`);
  }

  /** Namespace part of a key, empty for cluster-scoped kinds. */
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
      // Damage is reported, never passed over: to a controller an object that a selection leaves out is one
      // that is gone.
      header({ key, value, damage }): RecordHeader {
        if (damage !== undefined) throw damage;
        const { uid, labels, deletionTimestamp } = wrapDecodeError(key, () => metadataOf(value));
        return { uid: uid ?? '', labels, deletionTimestamp };
      },
    };
  }
}
