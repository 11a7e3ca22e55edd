import type { ClusterClock, ProcessClock } from '../../time/clock.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import {
  OutcomeUnknownError,
  OutOfSpaceError,
  StorageUnavailableError,
  type StoreEvent,
} from '../storage.ts';
import { Compactor, compactedKey } from './compactor.ts';
import { writeNumber } from './encoding.ts';
import { growthOf, Plan } from './plan.ts';
import type { Reader } from './reader.ts';
import { SettledRevision } from './settled-revision.ts';
import type { SpaceGuard } from './space-guard.ts';
import { closedMessage, type StoreState } from './state.ts';

/** One queued write. */
export interface Operation {
  readonly bytes: number;
  /** Deletes only; accepted while space is low. */
  readonly deleting: boolean;
  /** Adds the change to the plan; the returned function resolves the caller once the plan is durable. */
  readonly decide: (plan: Plan) => () => void;
  readonly reject: (error: Error) => void;
}

export interface WriterOptions {
  readonly state: StoreState;
  readonly reader: Reader;
  readonly clock: ProcessClock;
  /** Times to live begin by it. */
  readonly clusterClock: Pick<ClusterClock, 'now'>;
  readonly guard: SpaceGuard;
  /**
   * Bytes written after which history is compacted regardless of the caller's schedule; at least half of them
   * are kept.
   */
  readonly maximumHistoryBytes: number;
  /** Called for each durable commit before its callers are resolved. */
  readonly committed: (events: readonly StoreEvent[], revision: number, earliestDeadline: number) => void;
  /** Recovers the store after a failed commit; resolves when it can be read again. */
  readonly recover: (error: Error) => Promise<void>;
}

const commitOperations = 1000;
const commitBytes = 4 << 20;
/** Limit while disk space is reserved for each commit. */
const scarceOperations = 64;
const scarceBytes = 1 << 20;
const queueOperations = 50_000;
const queueBytes = 256 << 20;
const stallSeconds = 10;
const sweepPause = 1000;

/**
 * Groups queued writes into commits, one commit at a time. A group is decided when its commit begins, so
 * every result derives from durable state or from the same commit. Compaction runs one slice between commits.
 * The queue is limited to 50,000 writes or 256 MB; further writes are refused.
 */
export class Writer {
  #queue: Operation[] = [];
  #queuedBytes = 0;
  #running: Promise<void> | undefined;
  #sweep: Compactor;
  #sweepWaiters: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #compactTo = 0;
  /** Bytes written since `#historyMark`, the revision to compact to when the limit is exceeded. */
  #historyBytes = 0;
  #historyMark: number;
  #sweepPause: { readonly cancel: () => void; readonly reason: Error } | undefined;
  readonly #settled = new SettledRevision();
  /** The newest revision at the last slice of compaction. */
  #sweptAt: number;

  constructor(private readonly options: WriterOptions) {
    this.#sweep = new Compactor(options.state);
    this.#sweptAt = options.state.revision;
    this.#historyMark = options.state.revision;
    if (this.#sweep.pending) this.#start();
  }

  enqueue(operation: Operation): void {
    const refusal = this.#refusal();
    if (refusal) {
      operation.reject(refusal);
      return;
    }
    this.#queue.push(operation);
    this.#queuedBytes += operation.bytes;
    this.#start();
  }

  /** Resolves when history below `revision` is deleted. */
  compact(revision: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { state } = this.options;
      if (state.closed || state.failure) throw state.failure ?? new StorageUnavailableError(closedMessage);
      this.#compactTo = Math.max(this.#compactTo, revision);
      this.#sweepWaiters.push({ resolve, reject });
      this.#start();
    });
  }

  /**
   * Resolves when no write is queued or in progress. Compaction stops after its current slice and continues
   * at the next start.
   */
  async drain(): Promise<void> {
    await this.#running;
    this.#sweepPause?.cancel();
    this.#failSweep(new StorageUnavailableError(closedMessage));
  }

  /** Continues after a recovery. */
  resume(): void {
    this.#sweep = new Compactor(this.options.state);
    this.#start();
  }

  /** Returns an error while a commit takes suspiciously long. */
  stall(): StorageUnavailableError | undefined {
    const { state, clock } = this.options;
    const seconds = Math.floor((clock.now() - state.commitStarted) / 1000);
    if (!state.committing || seconds < stallSeconds) return undefined;
    return new StorageUnavailableError(
      `the disk has not finished a commit for ${seconds} s: check the disk; writes are waiting`,
    );
  }

  #refusal(): Error | undefined {
    const { state } = this.options;
    if (state.closed) return new StorageUnavailableError(closedMessage);
    if (state.failure) return state.failure;
    if (this.#queue.length < queueOperations && this.#queuedBytes < queueBytes) return undefined;
    return new StorageUnavailableError(
      'nothing was written: too many writes are waiting for the disk; try again later',
    );
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { state } = this.options;
    const sweeping = () =>
      !state.closed &&
      !this.#sweepPause &&
      (this.#sweep.pending || this.#compactTo > state.compactedRevision);
    do {
      // Writes of callers that were just resolved, and of requests that arrived meanwhile, share the next
      // commit.
      await yieldToEventLoop();
      if (this.#queue.length > 0) await this.#commitGroup();
      if (sweeping() && !state.failure) await this.#commitSweep();
    } while (!state.failure && (this.#queue.length > 0 || sweeping()));
    if (state.failure) this.#refuseAll(state.failure);
    else if (this.#sweepPause) this.#failSweep(this.#sweepPause.reason);
    else if (!state.closed) for (const waiter of this.#sweepWaiters.splice(0)) waiter.resolve();
    this.#running = undefined;
  }

  #nextGroup(): Operation[] {
    const { low: scarce } = this.options.guard;
    const mostOperations = scarce ? scarceOperations : commitOperations;
    const mostBytes = scarce ? scarceBytes : commitBytes;
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && count < mostOperations && bytes < mostBytes) {
      bytes += this.#queue[count]!.bytes;
      count += 1;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #commitGroup(): Promise<void> {
    const { state, reader, clock, clusterClock, guard } = this.options;
    const plan = new Plan(state.environment, reader, state.assigned, clusterClock.now());
    const group: { operation: Operation; complete: () => void }[] = [];
    this.#settled.record(clock.now(), state.revision);
    if (guard.shortage()) this.#discardHistory();
    for (const operation of this.#nextGroup()) {
      try {
        const shortage = guard.shortage(operation.deleting);
        if (shortage) throw shortage;
        group.push({ operation, complete: operation.decide(plan) });
      } catch (error) {
        operation.reject(error as Error);
      }
    }
    if (!plan.empty) {
      const releasing = group.every(({ operation }) => operation.deleting);
      const refusal = guard.reserve(plan.growth, releasing ? 'delete' : 'put');
      if (refusal) {
        this.#discardHistory();
        for (const { operation } of group) operation.reject(refusal);
        return;
      }
      state.assigned = plan.revision;
      try {
        await this.#commit(() => plan.write());
      } catch (error) {
        await this.#fail(
          error as Error,
          plan,
          group.map(({ operation }) => operation),
        );
        return;
      }
      guard.wrote(plan.bytes);
      this.#limitHistory(plan);
      this.options.committed(plan.events, plan.revision, plan.earliestDeadline);
    }
    for (const { complete } of group) complete();
  }

  /** Compacts history when space is low: its pages are reused. */
  #discardHistory(): void {
    this.#compactTo = Math.max(this.#compactTo, this.#settled.revision);
  }

  #limitHistory(plan: Plan): void {
    this.#historyBytes += plan.bytes;
    if (this.#historyBytes * 2 < this.options.maximumHistoryBytes) return;
    this.#compactTo = Math.max(this.#compactTo, this.#historyMark);
    this.#historyMark = plan.revision;
    this.#historyBytes = 0;
  }

  async #commitSweep(): Promise<void> {
    const { state, guard } = this.options;
    const target = this.#compactTo;
    const marks = target > state.compactedRevision;
    const slice = marks
      ? undefined
      : this.#sweep.slice(Math.min(state.revision - this.#sweptAt, commitOperations), guard.low);
    const shortage = guard.shortage(true) ?? guard.reserve(growthOf(slice?.changes ?? 1), 'compact');
    if (shortage) {
      this.#pauseSweep(shortage);
      return;
    }
    try {
      if (slice === undefined) {
        // The compacted revision is durable before anything is deleted, so that no reader expects deleted
        // history.
        await this.#commit(() => state.environment.meta.put(compactedKey, writeNumber(target)));
        state.compactedRevision = target;
      } else {
        this.#sweptAt = state.revision;
        await this.#commit(slice.write);
        slice.done();
      }
    } catch (error) {
      await this.#fail(error as Error, undefined, []);
    }
  }

  /** Pauses compaction, which needs space itself, and retries it later. */
  #pauseSweep(reason: Error): void {
    const cancel = this.options.clock.after(sweepPause, () => {
      this.#sweepPause = undefined;
      this.#start();
    });
    this.#sweepPause = { cancel, reason };
  }

  async #commit(write: () => void): Promise<void> {
    const { state, clock } = this.options;
    state.committing = true;
    state.commitStarted = clock.now();
    if (await state.environment.commit(state.epoch, write)) state.committing = false;
    else
      throw new StorageUnavailableError(
        'another process has taken over the data directory; this process no longer writes',
      );
  }

  async #fail(error: Error, plan: Plan | undefined, operations: readonly Operation[]): Promise<void> {
    const { state, guard } = this.options;
    state.failure = new StorageUnavailableError(
      `nothing was written: an earlier commit failed (${error.message}) and the store is recovering`,
    );
    guard.commitFailed();
    await this.options.recover(error);
    const committed = plan !== undefined && state.revision >= plan.revision;
    // lmdb reports a short write as an I/O error.
    const full =
      !committed &&
      (isOutOfSpace(error) || (!state.unreadable && guard.reserve(plan?.growth ?? growthOf(1), 'compact')));
    const outcome = full
      ? new OutOfSpaceError(
          `nothing was written: the disk is full (${error.message}); free some space and writes work again`,
        )
      : new OutcomeUnknownError(
          `the commit failed (${error.message}); the outcome of the change is unknown; read the object again`,
        );
    for (const operation of operations) operation.reject(outcome);
  }

  #refuseAll(error: Error): void {
    this.#queuedBytes = 0;
    for (const operation of this.#queue.splice(0)) operation.reject(error);
    this.#failSweep(error);
  }

  #failSweep(error: Error): void {
    for (const waiter of this.#sweepWaiters.splice(0)) waiter.reject(error);
  }
}

/** ENOSPC and EDQUOT as reported by lmdb. */
const outOfSpaceCodes: ReadonlySet<unknown> = new Set([28, 122, 'ENOSPC', 'EDQUOT']);

const isOutOfSpace = (error: Error): boolean => outOfSpaceCodes.has((error as { code?: unknown }).code);
