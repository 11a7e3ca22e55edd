import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';

const MAXIMUM_OBJECTS = 128;
/** Objects of values that are about to be stored: those of failed writes go when others come. */
const MAXIMUM_EXPECTED = 4;
/** Stored bytes of the objects together. */
const MAXIMUM_BYTES = 4 * 1024 * 1024;

interface Known {
  readonly value: Uint8Array;
  readonly object: KubernetesObject;
}

/**
 * The objects decoded last, for kinds that are expensive to decode and whose every change has several readers.
 * Callers must not change them.
 */
export class RecentObjects {
  /** By revision and key: the result of a write and the event of the same change are two records. */
  readonly #objects = new Map<string, Known>();
  #bytes = 0;
  /** The objects of values that are about to be stored, the newest last. The store may copy the values. */
  readonly #expected: Known[] = [];

  /** Takes the object of a value that is about to be stored, decoded at revision 0. */
  expect(value: Uint8Array, object: KubernetesObject): void {
    this.#expected.push({ value, object });
    if (this.#expected.length > MAXIMUM_EXPECTED) this.#expected.shift();
  }

  /** Whether the object of a record is known. */
  has({ key, revision, value }: CacheRecord): boolean {
    const known = this.#objects.get(`${revision} ${key}`);
    return (known !== undefined && Buffer.compare(known.value, value) === 0) || this.#expectedAt(value) >= 0;
  }

  /** Returns the object of a record. @param decode makes it, unless it is known */
  get({ key, revision, value }: CacheRecord, decode: () => KubernetesObject): KubernetesObject {
    const name = `${revision} ${key}`;
    const known = this.#objects.get(name);
    // Another cluster of etcd may have other bytes at the revision.
    if (known !== undefined && Buffer.compare(known.value, value) === 0) return known.object;
    const object = this.#take(value, revision) ?? decode();
    if (value.length > MAXIMUM_BYTES) return object;
    if (known !== undefined) this.#forget(name, known);
    this.#objects.set(name, { value, object });
    this.#bytes += value.length;
    for (const [oldest, dropped] of this.#objects) {
      if (this.#objects.size <= MAXIMUM_OBJECTS && this.#bytes <= MAXIMUM_BYTES) break;
      this.#forget(oldest, dropped);
    }
    return object;
  }

  #take(value: Uint8Array, revision: number): KubernetesObject | undefined {
    const index = this.#expectedAt(value);
    if (index < 0) return undefined;
    const { object } = this.#expected.splice(index, 1)[0]!;
    object.metadata!.resourceVersion = String(revision);
    return object;
  }

  #expectedAt(value: Uint8Array): number {
    return this.#expected.findIndex((known) => Buffer.compare(known.value, value) === 0);
  }

  #forget(name: string, { value }: Known): void {
    this.#objects.delete(name);
    this.#bytes -= value.length;
  }
}
