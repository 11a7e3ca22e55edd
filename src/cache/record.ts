import type { CorruptObjectError } from '../storage/corrupt-object.ts';
import { fromKey, type StoredEntry } from '../storage/storage.ts';
import { EncodingOwner } from './view-memo.ts';

/** What selections look at besides the name; read from the stored bytes on first need. */
export interface RecordHeader {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** RFC 3339, when the object carries a deletion mark. */
  readonly deletionTimestamp: string | undefined;
}

/** Reads what the cache itself doesn't know: it sees opaque bytes only. */
export interface RecordReader {
  header(record: CacheRecord): RecordHeader;
}

/** One stored object at one revision: immutable, shared by every list, event and view that shows it. */
export class CacheRecord extends EncodingOwner {
  #header: RecordHeader | undefined;
  #texts: Map<string, string> | undefined;

  constructor(
    readonly key: string,
    readonly revision: number,
    /** The stored bytes, envelope included. Never changed. */
    readonly value: Uint8Array,
    readonly reader: RecordReader,
    /** Why the bytes must not be interpreted: they are not those that were written. */
    readonly damage?: CorruptObjectError,
  ) {
    super();
  }

  /** The record of what the store has read. */
  static of({ key, revision, value, damage }: StoredEntry, reader: RecordReader): CacheRecord {
    return new CacheRecord(key, revision, value, reader, damage);
  }

  get header(): RecordHeader {
    this.#header ??= this.reader.header(this);
    return this.#header;
  }

  /** Last segment of the key. */
  get name(): string {
    return fromKey(this.key.slice(this.key.lastIndexOf('/') + 1));
  }

  /**
   * A text read from the record, remembered under a name.
   * @param name must say who reads: served versions may read different texts
   */
  text(name: string, read: () => string): string {
    this.#texts ??= new Map();
    let value = this.#texts.get(name);
    if (value === undefined) {
      value = read();
      this.#texts.set(name, value);
    }
    return value;
  }
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change of one object. */
export class CacheEvent {
  /**
   * Encoded frames shared by all watchers that want the same form; dropped once the event has been fanned
   * out.
   */
  frames: Map<string, Uint8Array> | undefined;

  constructor(
    readonly revision: number,
    readonly key: string,
    /** The object after the change; undefined when it was deleted. */
    readonly current: CacheRecord | undefined,
    /** The object before the change; undefined when it was created. */
    readonly previous: CacheRecord | undefined,
  ) {}

  /** Bytes this event keeps alive, for the bound of the ring. */
  get bytes(): number {
    return 200 + this.key.length + (this.current?.value.length ?? 0) + (this.previous?.value.length ?? 0);
  }

  /**
   * How the event looks to somebody who sees the objects that `viewer` matches, or undefined when it concerns
   * him not.
   */
  typeFor(viewer: { matches(record: CacheRecord): boolean }): EventType | undefined {
    const now = this.current !== undefined && viewer.matches(this.current);
    const before = this.previous !== undefined && viewer.matches(this.previous);
    if (now) return before ? 'MODIFIED' : 'ADDED';
    return before ? 'DELETED' : undefined;
  }

  /**
   * The object an event of this type shows: a deletion, or leaving a selection, carries the previous object.
   */
  recordFor(type: EventType): CacheRecord {
    return type === 'DELETED' ? this.previous! : this.current!;
  }
}
