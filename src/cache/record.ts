import { CorruptObjectError, UnreadableValueError } from '../storage/corrupt-object.ts';
import { fromKey, type StoredEntry } from '../storage/storage.ts';
import { EncodingOwner } from './encoding-cache.ts';

/** Fields that selectors use besides the name; decoded from the stored bytes on first use. */
export interface RecordHeader {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** RFC 3339; set while the object is being deleted. */
  readonly deletionTimestamp: string | undefined;
}

/** Decodes records for the cache, which handles opaque bytes only. */
export interface RecordReader {
  header(record: CacheRecord): RecordHeader;
  /**
   * Converts stored bytes to the form in which this server writes the kind; the same bytes if they have it.
   * @throws UnreadableValueError
   */
  readonly writtenForm?: ((value: Uint8Array) => Uint8Array) | undefined;
}

/** Records whose stored bytes have another form than {@link CacheRecord.value}. */
const outdated = new WeakSet<CacheRecord>();

/** One stored object at one revision: immutable, shared by all lists, events and views. */
export class CacheRecord extends EncodingOwner {
  /** The reader that found that these bytes need no conversion; opaque to other readers. */
  unchangedFor: object | undefined;
  #header: RecordHeader | undefined;
  #texts: Map<string, string> | undefined;

  constructor(
    readonly key: string,
    readonly revision: number,
    /** The stored bytes, envelope included. Never changed. */
    readonly value: Uint8Array,
    readonly reader: RecordReader,
    /** Set when the bytes are corrupt and must not be interpreted. */
    readonly corruption?: CorruptObjectError,
  ) {
    super();
  }

  /** Creates the record of a stored entry, in the form in which this server writes the kind. */
  static of(
    { key, revision, value, corruption }: Omit<StoredEntry, 'createRevision'>,
    reader: RecordReader,
  ): CacheRecord {
    if (corruption !== undefined || reader.writtenForm === undefined)
      return new CacheRecord(key, revision, value, reader, corruption);
    let written: Uint8Array;
    try {
      written = reader.writtenForm(value);
    } catch (error) {
      if (!(error instanceof UnreadableValueError)) throw error;
      return new CacheRecord(key, revision, value, reader, new CorruptObjectError(key, error));
    }
    const record = new CacheRecord(key, revision, written, reader);
    if (written !== value) outdated.add(record);
    return record;
  }

  /** Whether the stored bytes have another form, so that the same content is to be written again. */
  get isOutdated(): boolean {
    return outdated.has(this);
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
   * A string derived from the record, cached under a name.
   * @param name must identify the reader: served versions may derive different strings
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
  /** Encoded frames shared by all watchers with the same representation; dropped after the fan-out. */
  frames: Map<string, Uint8Array> | undefined;

  constructor(
    readonly revision: number,
    readonly key: string,
    /** The object after the change; undefined when it was deleted. */
    readonly current: CacheRecord | undefined,
    /** The object before the change; undefined when it was created. */
    readonly previous: CacheRecord | undefined,
    /** Position among the events of the revision. */
    readonly index = 0,
    /** Whether it is the last event of its revision. */
    readonly endsRevision = true,
  ) {}

  /** Bytes that this event keeps alive, for the bound of the ring buffer. */
  get bytes(): number {
    return 200 + this.key.length + (this.current?.value.length ?? 0) + (this.previous?.value.length ?? 0);
  }

  /**
   * Type of the event for a watcher of the objects that `viewer` matches; undefined when it does not concern
   * it.
   */
  typeFor(viewer: { matches(record: CacheRecord): boolean }): EventType | undefined {
    const now = this.current !== undefined && viewer.matches(this.current);
    const before = this.previous !== undefined && viewer.matches(this.previous);
    if (now) return before ? 'MODIFIED' : 'ADDED';
    return before ? 'DELETED' : undefined;
  }

  /**
   * The object carried by an event of this type: the previous one for a deletion and for leaving a selection.
   */
  recordFor(type: EventType): CacheRecord {
    return type === 'DELETED' ? this.previous! : this.current!;
  }
}
