import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';

const MAXIMUM_OBJECTS = 128;
/** Stored bytes of the objects together. */
const MAXIMUM_BYTES = 4 * 1024 * 1024;

/**
 * The objects decoded last, for kinds that are expensive to decode and whose every change has several readers.
 * Callers must not change them.
 */
export class RecentObjects {
  readonly #objects = new Map<CacheRecord, KubernetesObject>();
  #bytes = 0;

  /** Returns the object of a record. @param decode makes it, unless it is known */
  get(record: CacheRecord, decode: () => KubernetesObject): KubernetesObject {
    const known = this.#objects.get(record);
    if (known !== undefined) return known;
    const object = decode();
    const size = record.value.length;
    if (size > MAXIMUM_BYTES) return object;
    this.#objects.set(record, object);
    this.#bytes += size;
    for (const oldest of this.#objects.keys()) {
      if (this.#objects.size <= MAXIMUM_OBJECTS && this.#bytes <= MAXIMUM_BYTES) break;
      this.#objects.delete(oldest);
      this.#bytes -= oldest.value.length;
    }
    return object;
  }
}
