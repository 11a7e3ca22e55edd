import { KeyExistsError, type StoredEntry, type StoreEvent, type Transaction } from '../storage.ts';
import {
  type Head,
  leaseKey,
  readHead,
  readNumber,
  writeHead,
  writeLogRecord,
  writeNumber,
} from './encoding.ts';
import { type Environment, type Growth, pageSize } from './environment.ts';
import type { Reader } from './reader.ts';

const emptyBuffer = Buffer.alloc(0);
/**
 * Pages that a change may rewrite besides its record: a leaf in each of four tables, and pages added by
 * splits.
 */
const pagesPerChange = 6;
/** Pages near the roots of the tables and of the list of free pages. */
const pagesPerCommit = 64;

/** Space needed by a commit of `changes` changes; `recordPages` are the pages of new records. */
export const growthOf = (changes: number, recordPages = 0): Growth => ({
  pages: (changes * pagesPerChange + pagesPerCommit) * pageSize,
  records: recordPages * pageSize,
});

/** A key's state on disk and after the changes planned so far. */
interface KeyState {
  readonly stored: Head | undefined;
  readonly storedTombstone: number;
  head: Head | undefined;
  /** Revision of the newest change, deletions included; 0 when its record is corrupt. */
  newest: number;
  /** The current value if this plan wrote it. */
  entry: StoredEntry | undefined;
  changed: boolean;
}

interface Change {
  readonly event: StoreEvent;
  readonly record: Buffer;
}

/**
 * Outcome of a condition: success with the revision of the change (undefined without a change), or failure
 * with the current entry.
 */
export type TransactionOutcome =
  | { readonly applied: true; readonly revision: number | undefined }
  | { readonly applied: false; readonly current: StoredEntry | undefined };

/**
 * The changes of one commit: decided in order, each against the durable state plus the preceding changes, and
 * then written together. No result may be reported before the commit is durable.
 */
export class Plan {
  readonly #keys = new Map<string, KeyState>();
  readonly #changes: Change[] = [];
  #revision: number;
  /** The earliest lease deadline planned. */
  earliestDeadline = Number.POSITIVE_INFINITY;
  bytes = 0;
  #recordPages = 0;

  constructor(
    private readonly environment: Environment,
    private readonly reader: Reader,
    assigned: number,
    private readonly now: number,
  ) {
    this.#revision = assigned;
  }

  get empty(): boolean {
    return this.#changes.length === 0;
  }

  /** Revision of the newest planned change. */
  get revision(): number {
    return this.#revision;
  }

  get growth(): Growth {
    return growthOf(this.#changes.length, this.#recordPages);
  }

  get events(): StoreEvent[] {
    return this.#changes.map((change) => change.event);
  }

  decide({ key, expected, value, timeToLiveSeconds }: Transaction): TransactionOutcome {
    const state = this.#state(key);
    if ((state.head?.revision ?? 0) !== expected)
      return { applied: false, current: this.#present(key, state) };
    if (!state.head && !value) return { applied: true, revision: undefined };
    const deadline = value && timeToLiveSeconds ? this.now + Math.round(timeToLiveSeconds * 1000) : 0;
    return { applied: true, revision: this.#change(key, state, value, deadline) };
  }

  /** @throws KeyExistsError, in which case nothing is planned */
  create(entries: readonly { key: string; value: Uint8Array }[]): number[] {
    const seen = new Set<string>();
    for (const { key } of entries) {
      if (seen.has(key) || this.#state(key).head) throw new KeyExistsError(key);
      seen.add(key);
    }
    return entries.map(({ key, value }) => this.#change(key, this.#state(key), value, 0));
  }

  /** Writes the changes in the current commit. */
  write(): void {
    const { live, log, deleted, leases } = this.environment;
    for (const { event, record } of this.#changes) log.put(event.revision, record);
    for (const [key, { stored, storedTombstone, head, newest, changed }] of this.#keys) {
      if (!changed) continue;
      if (head) live.put(key, writeHead(head));
      else if (stored) live.remove(key);
      if (!head) deleted.put(key, writeNumber(newest));
      else if (storedTombstone) deleted.remove(key);
      if (stored?.deadline) leases.remove(leaseKey(stored.deadline, key));
      if (head?.deadline) leases.put(leaseKey(head.deadline, key), emptyBuffer);
    }
  }

  #state(key: string): KeyState {
    let state = this.#keys.get(key);
    if (!state) {
      const stored = this.environment.live.get(key, readHead);
      const storedTombstone = stored ? 0 : (this.environment.deleted.get(key, readNumber) ?? 0);
      // A corrupt head may name another key's change, which compaction must not delete as this key's.
      const newest = stored?.corrupt ? 0 : (stored?.revision ?? storedTombstone);
      state = { stored, storedTombstone, head: stored, newest, entry: undefined, changed: false };
      this.#keys.set(key, state);
    }
    return state;
  }

  #present(key: string, state: KeyState): StoredEntry | undefined {
    if (!state.head) return undefined;
    state.entry ??= this.reader.present(key, state.head);
    return state.entry;
  }

  #change(key: string, state: KeyState, value: Uint8Array | undefined, deadline: number): number {
    this.#revision += 1;
    const revision = this.#revision;
    const previous = this.#present(key, state);
    const createRevision = value ? (state.head?.createRevision ?? revision) : 0;
    const { record, value: stored } = writeLogRecord(revision, key, {
      value,
      createRevision,
      previousRevision: state.newest,
    });
    this.#changes.push({
      record,
      event: { type: value ? 'put' : 'delete', key, revision, value: stored, createRevision, previous },
    });
    this.bytes += record.length;
    this.#recordPages += Math.ceil(record.length / pageSize) + 1;
    state.changed = true;
    state.newest = revision;
    state.head = value && { revision, createRevision, deadline };
    state.entry = value && { key, value: stored, revision, createRevision };
    if (deadline) this.earliestDeadline = Math.min(this.earliestDeadline, deadline);
    return revision;
  }
}
