import type { CacheEvent, CacheRecord, EventType } from './record.ts';
import type { RecordQuery } from './record-query.ts';

/** The part of the key space that a watcher covers, used to index watchers. */
export interface WatchScope {
  /** Key prefix of the watched objects (all, or one namespace). */
  readonly prefix: string;
  /** Exact key when one object is watched. */
  readonly key?: string;
  /** The watch selects objects of one name, in any namespace. */
  readonly oneName?: boolean;
  /** A condition that every matched object fulfils: others are not matched against the watch. */
  readonly query?: RecordQuery | undefined;
  /** Whether the watch encodes what it delivers; default: true. */
  readonly encodes?: boolean;
}

/** One consumer of a resource's events. */
export interface WatchSink {
  matches(record: CacheRecord): boolean;
  /**
   * Whether an event can be delivered without long work; absent: always. Otherwise it is delivered once
   * {@link WatchSink.drained} has resolved.
   */
  isReady?(type: EventType, record: CacheRecord, event: CacheEvent): boolean;
  /**
   * Delivers one event with the object `record` at `revision`. Returns false when the consumer is full until
   * {@link WatchSink.drained} resolves.
   */
  deliver(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): boolean;
  /** Resolves when more events may be delivered; rejects when the consumer has disconnected. */
  drained(): Promise<void>;
  /**
   * Ends the watch: history is compacted, the store was replaced, an object cannot be decoded, the consumer has
   * disconnected, or the server stops (undefined).
   */
  end(error: unknown): void;
}

/** A registered consumer and its position. */
export class Watcher {
  /** Every event up to this revision has been delivered or did not concern it. */
  position: number;
  /** The next revision, if some of its events have been delivered, and how many. */
  #partialRevision = 0;
  #partialCount = 0;
  /** Waiting for the consumer or catching up; live events are not delivered. */
  busy = false;
  closed = false;

  constructor(
    readonly scope: WatchScope,
    readonly sink: WatchSink,
    position: number,
  ) {
    this.position = position;
  }

  /** Delivers one event now, unless it has been delivered; false when the consumer is full or not ready for it. */
  deliver(event: CacheEvent): boolean {
    if (this.#hasPassed(event)) return true;
    const { key, prefix } = this.scope;
    const concerns = key !== undefined ? event.key === key : event.key.startsWith(prefix);
    const type = concerns ? event.typeFor(this.sink) : undefined;
    if (type === undefined) {
      this.#advance(event);
      return true;
    }
    const record = event.recordFor(type);
    if (this.sink.isReady?.(type, record, event) === false) return false;
    this.#advance(event);
    return this.sink.deliver(type, record, event.revision, event);
  }

  /** Notes that every event before a revision has been delivered, or did not concern the watcher. */
  skipTo(revision: number): void {
    if (revision - 1 > this.position) this.position = revision - 1;
  }

  #hasPassed({ revision, index }: CacheEvent): boolean {
    return revision <= this.position || (revision === this.#partialRevision && index < this.#partialCount);
  }

  /** Moves the position to `event`. Events come in order. */
  #advance({ revision, index, endsRevision }: CacheEvent): void {
    if (endsRevision) {
      this.position = revision;
      return;
    }
    this.position = revision - 1;
    this.#partialRevision = revision;
    this.#partialCount = index + 1;
  }
}
