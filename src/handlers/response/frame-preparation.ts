import type { CacheEvent, CacheRecord, EventType } from '../../cache/record.ts';
import { runInTurns } from '../../steps/run.ts';
import type { LoopTurns } from '../../steps/turns.ts';
import type { EventEncoder } from './watch/event-encoder.ts';

/** Preparations that have begun, by the form of the frames: all watches of an event wait for the same one. */
const begun = new WeakMap<CacheRecord, Map<string, Promise<CacheRecord>>>();

/** A large record whose frame is not sent yet. */
interface Pending {
  readonly type: EventType;
  readonly key: string;
  readonly revision: number;
  /** What the frame is made of, once it is prepared. */
  record: CacheRecord | undefined;
}

/** Prepares the large records of one watch before their frames are made. */
export class FramePreparation {
  #pending: Pending | undefined;
  #ready: Promise<void> | undefined;

  constructor(
    private readonly encoder: EventEncoder,
    private readonly turns: LoopTurns,
  ) {}

  /** Resolves when the record is prepared that was not ready; undefined when there is none. */
  get ready(): Promise<void> | undefined {
    return this.#ready;
  }

  /** Whether the frame of an event takes no long work. If not, its record is being prepared. */
  isReady(type: EventType, record: CacheRecord, event: CacheEvent): boolean {
    const { encoder } = this;
    // The event may have been read from the store again.
    if (this.#isPending(type, record)) return this.#pending!.record !== undefined;
    if (encoder.prepare?.(type, record, event.revision, event) === undefined) return true;
    const pending: Pending = { type, key: record.key, revision: record.revision, record: undefined };
    this.#pending = pending;
    this.#ready = this.#prepare(type, record, event).then((shown) => {
      pending.record = shown;
      this.#ready = undefined;
    });
    return false;
  }

  /** The record of which a frame is made: the prepared one, which is not needed any longer. */
  take(type: EventType, record: CacheRecord): CacheRecord {
    const shown = this.#isPending(type, record) ? this.#pending!.record : undefined;
    this.#pending = undefined;
    return shown ?? record;
  }

  #isPending(type: EventType, { key, revision }: CacheRecord): boolean {
    const pending = this.#pending;
    return (
      pending !== undefined && pending.key === key && pending.revision === revision && pending.type === type
    );
  }

  /** A record that cannot be prepared is not: making its frame throws the error. */
  #prepare(type: EventType, record: CacheRecord, event: CacheEvent): Promise<CacheRecord> {
    const { form } = this.encoder;
    const name = `${form} ${event.revision}`;
    const forms = begun.get(record) ?? new Map<string, Promise<CacheRecord>>();
    const known = forms.get(name);
    if (known !== undefined) return known;
    const steps = this.encoder.prepare!(type, record, event.revision, event)!;
    const preparing = runInTurns(this.turns, steps)
      .catch(() => record)
      .finally(() => {
        forms.delete(name);
        if (forms.size === 0) begun.delete(record);
      });
    begun.set(record, forms.set(name, preparing));
    return preparing;
  }
}
