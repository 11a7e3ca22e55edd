import type { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject, ObjectMeta } from '../model/object.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { SourceObject } from './object-source.ts';

/** How the records of a resource are decoded. */
export interface ObjectDecoder {
  /** Returns a new object. @throws CorruptObjectError */
  object(record: CacheRecord): KubernetesObject;
  /** Decodes the metadata and nothing else. @throws CorruptObjectError */
  metadata(record: CacheRecord): ObjectMeta;
}

/** The current record of an object, and what it is decoded to, for all subscribers of a reader. */
export class ReadObject implements SourceObject {
  /** The last list of the reader that contained the object. */
  listed = 0;
  #object: KubernetesObject | undefined;
  /** Somebody may use the object again. */
  #isKept = false;
  readonly #decoder: ObjectDecoder;

  constructor(
    readonly record: CacheRecord,
    decoder: ObjectDecoder,
    /** Orders objects by when the reader first knew them; the next version of an object has the same. */
    readonly order: number,
  ) {
    this.#decoder = decoder;
  }

  get object(): KubernetesObject {
    this.#isKept = true;
    return this.peek();
  }

  peek(): KubernetesObject {
    this.#object ??= deepFreeze(this.#decoder.object(this.record));
    return this.#object;
  }

  read(): KubernetesObject {
    return this.#object ?? deepFreeze(this.#decoder.object(this.record));
  }

  /** All subscribers were told of the object: drops it if they only peeked at it. */
  release(): void {
    if (!this.#isKept) this.#object = undefined;
  }

  metadata(): ObjectMeta {
    return this.#object?.metadata ?? this.#decoder.metadata(this.record);
  }
}
