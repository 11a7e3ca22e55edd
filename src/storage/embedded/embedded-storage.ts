import { statSync } from 'node:fs';
import type { ClusterClock, ProcessClock } from '../../time/clock.ts';
import { ExpiryTimer } from '../expiry-timer.ts';
import { eventSize, RecentEvents } from '../recent-events.ts';
import {
  assertWritableKey,
  FutureRevisionError,
  type GetResult,
  type ImmediateStorage,
  type MaybePromise,
  type RangeOptions,
  type RangeResult,
  StorageUnavailableError,
  type StoreEvent,
  type StoreWatch,
  type Transaction,
  type TransactionResult,
  type WatchOptions,
} from '../storage.ts';
import { WatchHub } from '../watch-hub.ts';
import { copyTo } from './backup.ts';
import { readHead, readLeaseKey } from './encoding.ts';
import type { OpenEnvironment } from './environment.ts';
import type { Plan } from './plan.ts';
import { Reader } from './reader.ts';
import { Recovery } from './recovery.ts';
import type { SpaceGuard } from './space-guard.ts';
import { closedMessage, type StoreState } from './state.ts';
import { type Operation, Writer } from './writer.ts';

export interface EmbeddedParts {
  readonly state: StoreState;
  readonly clock: ProcessClock;
  readonly clusterClock: Pick<ClusterClock, 'now' | 'after'>;
  readonly guard: SpaceGuard;
  /** Path of the data file. */
  readonly path: string;
  /** Its data format. */
  readonly format: number;
  readonly open: OpenEnvironment;
  readonly recentEventBytes: number;
  readonly maximumHistoryBytes: number;
  readonly onFatal: (error: Error) => void;
  /** Called once the data file is closed. */
  readonly onClosed: () => void;
}

const expiryBatch = 256;
const expiryRetry = 1000;
const recentEventSlice = 1000;
const operationOverhead = 64;

/**
 * The store over one lmdb file. Reads are synchronous, except large ranges and while the file is reopened.
 */
export class EmbeddedStorage implements ImmediateStorage {
  readonly #parts: EmbeddedParts;
  readonly #state: StoreState;
  readonly #reader: Reader;
  readonly #recent: RecentEvents<StoreEvent>;
  readonly #hub: WatchHub;
  readonly #expiry: ExpiryTimer;
  #cancelExpiryRetry = (): void => undefined;
  readonly #recovery: Recovery;
  readonly #writer: Writer;
  #closing: Promise<void> | undefined;

  constructor(parts: EmbeddedParts) {
    const { state, clock, clusterClock, guard } = parts;
    this.#parts = parts;
    this.#state = state;
    this.#reader = new Reader(state);
    this.#recent = new RecentEvents(parts.recentEventBytes, state.revision, eventSize);
    this.#hub = new WatchHub({
      clock,
      revision: state.revision,
      compactedRevision: () => state.compactedRevision,
      history: (from, to) => this.#history(from, to),
      reopening: () => state.reopening,
    });
    this.#expiry = new ExpiryTimer(clusterClock, () => void this.#expire());
    const reader = this.#reader;
    const committed = (events: readonly StoreEvent[], revision: number) => this.#publish(events, revision);
    this.#recovery = new Recovery({
      ...parts,
      reader,
      committed,
      resume: () => this.#writer.resume(),
      fatal: (error) => {
        this.#hub.end(error);
        parts.onFatal(error);
      },
    });
    this.#writer = new Writer({
      state,
      reader,
      clock,
      clusterClock,
      guard,
      maximumHistoryBytes: parts.maximumHistoryBytes,
      committed: (events, revision, earliestDeadline) => {
        committed(events, revision);
        this.#expiry.arm(earliestDeadline);
      },
      recover: (error) => this.#recovery.recover(error),
    });
    this.#armExpiry();
  }

  get immediate(): this {
    return this;
  }

  get revision(): number {
    return this.#state.revision;
  }

  get compactedRevision(): number {
    return this.#state.compactedRevision;
  }

  get(key: string, revision?: number): MaybePromise<GetResult> {
    return this.#read(() => {
      this.#state.assertReadable(revision);
      return {
        entry: this.#reader.at(key, revision || this.#state.revision),
        revision: this.#state.revision,
      };
    });
  }

  range(options: RangeOptions): MaybePromise<RangeResult> {
    return this.#read(() => {
      this.#state.assertReadable(options.revision);
      return this.#reader.range(options);
    });
  }

  count(start: string, end: string): MaybePromise<number> {
    return this.#read((): MaybePromise<number> => {
      this.#state.assertReadable(undefined);
      if (end !== '' && start >= end) return 0;
      if (!this.#state.committing)
        return this.#state.environment.live.count(start, end === '' ? undefined : end);
      const counted = this.#reader.range({ start, end, keysOnly: true });
      return counted instanceof Promise ? counted.then((result) => result.count) : counted.count;
    });
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    const { key, value } = transaction;
    const bytes = key.length + (value?.length ?? 0) + operationOverhead;
    return this.#enqueue([key], bytes, value === undefined, (plan) => {
      const verdict = plan.decide(transaction);
      return (): TransactionResult => {
        if (!verdict.applied)
          return { succeeded: false, current: verdict.current, revision: this.#state.revision };
        return { succeeded: true, revision: verdict.revision ?? this.#state.revision };
      };
    });
  }

  createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]> {
    const bytes = entries.reduce(
      (sum, { key, value }) => sum + key.length + value.length + operationOverhead,
      0,
    );
    const keys = entries.map((entry) => entry.key);
    return this.#enqueue(keys, bytes, false, (plan) => {
      const revisions = plan.create(entries);
      return () => revisions;
    });
  }

  watch(options: WatchOptions): StoreWatch {
    const refusal =
      this.#state.unreadable ?? (this.#state.closed ? new StorageUnavailableError(closedMessage) : undefined);
    if (!refusal) return this.#hub.watch(options);
    queueMicrotask(() => options.onEnd(refusal));
    return { close: () => undefined, requestProgress: () => undefined };
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.#state.revision) throw new FutureRevisionError(revision, this.#state.revision);
    if (revision > this.#state.compactedRevision) await this.#writer.compact(revision);
  }

  currentRevision(): number {
    return this.#state.revision;
  }

  statistics(): MaybePromise<{ bytes: number; keys: number }> {
    return this.#read(() => {
      this.#state.assertReadable(undefined);
      return { bytes: statSync(this.#parts.path).size, keys: this.#state.environment.live.size() };
    });
  }

  health(): Error | undefined {
    if (this.#state.failure) return this.#state.failure;
    if (this.#state.closed) return new StorageUnavailableError(closedMessage);
    return this.#parts.guard.shortage() ?? this.#writer.stall();
  }

  async backup(directory: string): Promise<void> {
    await this.#state.reopening;
    this.#state.assertReadable(undefined);
    await copyTo(this.#state.environment, directory, this.#parts.format);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { state, onClosed } = this.#parts;
    state.closed = true;
    this.#expiry.stop();
    this.#cancelExpiryRetry();
    await this.#writer.drain();
    await this.#recovery.stop();
    await state.reopening;
    const closed = new StorageUnavailableError(closedMessage);
    this.#hub.end(closed);
    if (!state.unreadable) {
      this.#release();
      await state.environment.close();
    }
    state.unreadable ??= closed;
    onClosed();
  }

  /**
   * Releases the ownership record. If that fails, the next process finds that the recorded owner has exited.
   */
  #release(): void {
    const { environment, epoch } = this.#state;
    try {
      const owner = environment.owner();
      if (owner?.epoch === epoch) environment.claim(epoch, { ...owner, released: true });
    } catch {
      // The disk refuses writes; that has already been reported.
    }
  }

  #read<T>(read: () => MaybePromise<T>): MaybePromise<T> {
    const { reopening } = this.#state;
    return reopening ? reopening.then(read) : read();
  }

  #enqueue<T>(
    keys: readonly string[],
    bytes: number,
    releasing: boolean,
    decide: (plan: Plan) => () => T,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      for (const key of keys) assertWritableKey(key);
      const operation: Operation = {
        bytes,
        deleting: releasing,
        reject,
        decide: (plan) => {
          const resolveOutcome = decide(plan);
          return () => resolve(resolveOutcome());
        },
      };
      this.#writer.enqueue(operation);
    });
  }

  #history(from: number, to: number) {
    const events = this.#recent.after(from - 1, recentEventSlice);
    if (events === undefined) return this.#reader.history(from, to);
    return { events, next: events.length < recentEventSlice ? to + 1 : events.at(-1)!.revision + 1 };
  }

  #publish(events: readonly StoreEvent[], revision: number): void {
    this.#state.revision = revision;
    for (const event of events) this.#recent.push(event);
    this.#hub.publish(events, revision);
  }

  #armExpiry(): void {
    const [first] = this.#state.environment.leases.keys('', undefined, 1);
    if (first !== undefined) this.#expiry.arm(readLeaseKey(first).deadline);
  }

  /** Deletes expired keys that have not changed meanwhile. */
  async #expire(): Promise<void> {
    await this.#state.reopening;
    if (this.#state.closed || this.#state.unreadable) return;
    const { leases, live } = this.#state.environment;
    const now = this.#parts.clusterClock.now();
    const expired = leases.keys('', undefined, expiryBatch).map(readLeaseKey);
    const deletions = expired
      .filter(({ deadline }) => deadline <= now)
      .map(({ key }) =>
        this.transact({ key, expected: live.get(key, readHead)?.revision ?? 0, value: undefined }),
      );
    const results = await Promise.allSettled(deletions);
    if (this.#state.closed || this.#state.unreadable) return;
    // Retry later while the store refuses writes.
    if (results.some(({ status }) => status === 'rejected'))
      this.#cancelExpiryRetry = this.#parts.clock.after(expiryRetry, () => void this.#expire());
    else this.#armExpiry();
  }
}
