/**
 * The storage port: etcd's model. One global revision counts every change; values are opaque bytes.
 * Implementations: memory, embedded (lmdb), etcd. All pass the contract tests in `test/storage/contract.ts`.
 *
 * Keys are strings with one byte per character (UTF-8 bytes as latin1), so that `<` compares them in byte
 * order. A key looks like `/registry/pods/default/web-0`.
 */

import { BinnacleError } from '../errors/binnacle-error.ts';
import type { MaybePromise } from '../steps/steps.ts';
import type { CorruptObjectError } from './corrupt-object.ts';

export type { MaybePromise };

/** One stored value. The caller owns `value`: it is never a view that the store reuses. */
export interface StoredEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the last change of this key. */
  readonly revision: number;
  /** Revision at which the key was created. */
  readonly createRevision: number;
  /** Set when the record is corrupt: `value` is then the remaining bytes, which must not be interpreted. */
  readonly corruption?: CorruptObjectError;
}

export interface GetResult {
  readonly entry: StoredEntry | undefined;
  readonly revision: number;
}

export interface RangeOptions {
  /** First key, inclusive. */
  readonly start: string;
  /** End of the range, exclusive; '' (from {@link prefixEnd} of the highest prefix) means no upper bound. */
  readonly end: string;
  /** Revision to read at; undefined or 0 reads the current state. */
  readonly revision?: number;
  /** Maximum entries returned; undefined or 0 means all. */
  readonly limit?: number;
  /** Returns empty values. */
  readonly keysOnly?: boolean;
  /**
   * {@link RangeResult.count} may stop above the limit: the cost of a page is then proportional to its limit,
   * not to the range.
   */
  readonly uncounted?: boolean;
}

export interface RangeResult {
  readonly entries: StoredEntry[];
  /**
   * Entries in the whole range, regardless of the limit. With {@link RangeOptions.uncounted}, at least one
   * more than the limit when there are more.
   */
  readonly count: number;
  readonly more: boolean;
  /**
   * The store's revision when the read began (not the requested one). A read of the current state is at this
   * revision: a watch from the next revision continues it.
   */
  readonly revision: number;
}

/** A conditional change of one key. */
export interface Transaction {
  readonly key: string;
  /** The key's expected mod revision; 0 means it must not exist. */
  readonly expected: number;
  /** New value, or undefined to delete. */
  readonly value: Uint8Array | undefined;
  /** Seconds after which the store deletes the key (events); the expiry is a deletion like any other. */
  readonly timeToLiveSeconds?: number;
  /**
   * No other writer has this value: it contains a uid that was made for it. A creation whose answer was lost can
   * then be recognized in the store; without it, its outcome is unknown.
   */
  readonly unique?: boolean;
}

export type TransactionResult =
  | { readonly succeeded: true; readonly revision: number }
  /** The condition failed: `current` is the current, durable entry. */
  | { readonly succeeded: false; readonly current: StoredEntry | undefined; readonly revision: number };

export interface StoreEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** Revision of the change. */
  readonly revision: number;
  /** Empty for deletions. */
  readonly value: Uint8Array;
  /** 0 for deletions; equal to `revision` when the key was created by it. */
  readonly createRevision: number;
  /** The previous entry of the key, undefined when it was absent. */
  readonly previous: StoredEntry | undefined;
  /** Set when the previous entry existed, but its revision has been compacted: `previous` is undefined. */
  readonly previousCompacted?: true;
  /** Set when the record read from history is corrupt: `value` must not be interpreted. */
  readonly corruption?: CorruptObjectError;
}

export interface WatchOptions {
  readonly start: string;
  readonly end: string;
  /** First revision delivered; undefined or 0 starts with the next change. */
  readonly startRevision?: number;
  /** Called with events in revision order; all events of a revision are in one call. Must not throw. */
  readonly onEvents: (events: readonly StoreEvent[]) => void;
  /**
   * Called when everything up to `revision` has been delivered: from time to time (a store that applies changes
   * at once: after commits without events for this watch, throttled) and on demand. `requested` is true for the
   * answer to {@link StoreWatch.requestProgress}.
   */
  readonly onProgress?: (revision: number, requested: boolean) => void;
  /**
   * Called when the store ends the watch; `error` is a {@link CompactedError}, a {@link StoreReplacedError} or the
   * reason why the store stopped. A store in other processes that cannot be reached does not end watches: they
   * continue when it can.
   */
  readonly onEnd: (error: Error) => void;
}

export interface StoreWatch {
  close(): void;
  /**
   * Asks for a call of {@link WatchOptions.onProgress} as soon as everything up to the store's current revision
   * has been delivered. Callers have at most one request outstanding. With {@link Storage.untrustedProgress}, the
   * answer is the revision that has been delivered, which may be older.
   */
  requestProgress(): void;
}

/** The state of a range, compared with an earlier revision. */
export interface RangeChanges {
  /** Keys that exist were written after the earlier revision. */
  readonly written: boolean;
  /** Number of keys that exist. */
  readonly count: number;
  /** The revision of the state. */
  readonly revision: number;
}

/** Figures for metrics. */
export interface StorageStatistics {
  /** Bytes on disk; 0 for memory. */
  readonly bytes: number;
  /** Number of live keys. */
  readonly keys: number;
  /** Bytes of each cluster, if the store has several. */
  readonly clusterBytes?: readonly number[];
}

export type HealthPurpose = 'live' | 'ready';

export interface Storage {
  /** Present if the store applies changes at once. */
  readonly immediate?: ImmediateState | undefined;
  /** The store compacts its history itself, as configured when it was opened. */
  readonly compactsItself?: boolean;
  /**
   * History of a key below this revision is known to be compacted, by this or another server; more may be. For a
   * store without {@link immediate}.
   */
  knownCompaction?(key: string): number;
  /**
   * Whether the keys of a resource, given by their prefix, are in a store of their own: their revisions are not
   * comparable with {@link currentRevision}, and ranges and watches of more than the resource do not contain them.
   */
  hasOwnRevisions?(prefix: string): boolean;
  /** Watches cannot report progress at present: consistent reads must compare with the store. */
  readonly untrustedProgress?: boolean;
  /**
   * Reads whether keys of a range that exist have changed after a revision, and how many keys exist. Whoever knows
   * the state at that revision, with as many keys, then has the present one. For stores that may set
   * {@link untrustedProgress}; the store reads the whole range.
   */
  changesSince?(start: string, end: string, revision: number): Promise<RangeChanges>;
  /**
   * Present if values have forms that become outdated (encryption): whether the value of a key is to be
   * written again even if its content is the same.
   */
  isStale?(key: string): MaybePromise<boolean>;
  /**
   * Present if the store can be replaced while it is used: calls back when it turns out to be another one than
   * before, before its watches end. Returns a function that ends that.
   */
  onReplaced?(listener: (error: StoreReplacedError) => void): () => void;
  get(key: string, revision?: number): MaybePromise<GetResult>;
  /** @throws CompactedError, FutureRevisionError */
  range(options: RangeOptions): MaybePromise<RangeResult>;
  count(start: string, end: string): MaybePromise<number>;
  /**
   * Compares and changes one key. Resolves once the outcome is durable and visible; a failed condition also
   * waits until the compared state is durable. Watches may receive the change later.
   * @throws OutcomeUnknownError, StorageUnavailableError, OutOfSpaceError, KeyTooLongError, ValueTooLargeError
   */
  transact(transaction: Transaction): Promise<TransactionResult>;
  /**
   * Several independent puts, each with its own revision (bootstrap). Keys must not exist, and values are unique
   * ({@link Transaction.unique}). Returns the revisions in the order of the entries. A store that applies changes at
   * once writes them in order and in one commit; others write several at a time, and an error leaves the entries
   * that have been written. None is being written any more when the promise settles.
   * @throws KeyExistsError, and the errors of {@link transact}
   */
  createBatch(entries: readonly { key: string; value: Uint8Array }[]): Promise<number[]>;
  watch(options: WatchOptions): StoreWatch;
  /** Discards history below `revision`; a no-op at or below the compacted revision. */
  compact(revision: number): Promise<void>;
  /** The revision that a linearizable read would see now. */
  currentRevision(): MaybePromise<number>;
  statistics(): MaybePromise<StorageStatistics>;
  /**
   * undefined when healthy, else an error that names the problem and its remedy.
   * @param purpose of the check: the process lives, or it is ready for requests; each may have its own timeout
   */
  health(purpose?: HealthPurpose): MaybePromise<Error | undefined>;
  /** Writes a hot copy that another server can open into a new directory; the memory store refuses. */
  backup(directory: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The capability of a store inside this process: watches receive a change before the promise of its writer
 * resolves, in the same step in which {@link revision} becomes its revision. A cache that follows such a store
 * is always up to date.
 */
export interface ImmediateState {
  /** The newest revision that is durable and visible. */
  readonly revision: number;
  /** History below this revision has been compacted. 0 before the first compaction. */
  readonly compactedRevision: number;
}

export interface ImmediateStorage extends Storage, ImmediateState {
  readonly immediate: ImmediateState;
  health(): Error | undefined;
}

/** The requested revision has been compacted. */
export class CompactedError extends BinnacleError {
  override name = 'CompactedError';
  readonly code = 'ERR_BINNACLE_COMPACTED';
  constructor(
    readonly requestedRevision: number,
    readonly compactedRevision: number,
  ) {
    super(`revision ${requestedRevision} has been compacted; the oldest available is ${compactedRevision}`);
  }
}

/**
 * The store is not the one whose revisions were seen before: another cluster answers, or its revision went back
 * (it was restored from a backup). Everything read from it before is void.
 */
export class StoreReplacedError extends BinnacleError {
  override name = 'StoreReplacedError';
  readonly code = 'ERR_BINNACLE_STORE_REPLACED';
}

/** The requested revision does not exist yet. */
export class FutureRevisionError extends BinnacleError {
  override name = 'FutureRevisionError';
  readonly code = 'ERR_BINNACLE_FUTURE_REVISION';
  constructor(
    readonly requestedRevision: number,
    readonly currentRevision: number,
  ) {
    super(`revision ${requestedRevision} is newer than the current ${currentRevision}`);
  }
}

/** A commit failed and it is unknown whether the change is durable. */
export class OutcomeUnknownError extends BinnacleError {
  override name = 'OutcomeUnknownError';
  readonly code = 'ERR_BINNACLE_OUTCOME_UNKNOWN';
  constructor(
    message: string,
    /** The store did not answer in time; it may still carry out the change. */
    readonly timedOut = false,
  ) {
    super(message);
  }
}

/** The store refuses writes at present; the message names the reason and the remedy. */
export class StorageUnavailableError extends BinnacleError {
  override name = 'StorageUnavailableError';
  readonly code = 'ERR_BINNACLE_STORAGE_UNAVAILABLE';
}

/** A key of {@link Storage.createBatch} already exists, or is twice in the batch. */
export class KeyExistsError extends BinnacleError {
  override name = 'KeyExistsError';
  readonly code = 'ERR_BINNACLE_KEY_EXISTS';
  constructor(readonly key: string) {
    super(`${JSON.stringify(fromKey(key))} exists already`);
  }
}

/** Maximum length of a key in bytes. Longer keys cannot be stored (the name of an object is too long). */
export const maximumKeyLength = 3900;

/** A key is longer than {@link maximumKeyLength}: a client error, nothing was written. */
export class KeyTooLongError extends BinnacleError {
  override name = 'KeyTooLongError';
  readonly code = 'ERR_BINNACLE_KEY_TOO_LONG';
  constructor(readonly key: string) {
    super(`the storage key has ${key.length} bytes; at most ${maximumKeyLength} can be stored`);
  }
}

/** The store does not accept values of this size: nothing was written. */
export class ValueTooLargeError extends BinnacleError {
  override name = 'ValueTooLargeError';
  readonly code = 'ERR_BINNACLE_VALUE_TOO_LARGE';
}

/** The disk is (nearly) full: nothing was written. */
export class OutOfSpaceError extends BinnacleError {
  override name = 'OutOfSpaceError';
  readonly code = 'ERR_BINNACLE_OUT_OF_SPACE';
}

/** The end (exclusive) of the range of all keys that begin with `prefix`. */
export function prefixEnd(prefix: string): string {
  for (let index = prefix.length - 1; index >= 0; index -= 1) {
    const code = prefix.charCodeAt(index);
    if (code < 0xff) return prefix.slice(0, index) + String.fromCharCode(code + 1);
  }
  return '';
}

/** Encodes `text` as UTF-8, one byte per character. */
export function toKey(text: string): string {
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1');
  return text;
}

/** Decodes the UTF-8 bytes of `key`. */
export function fromKey(key: string): string {
  for (let index = 0; index < key.length; index += 1)
    if (key.charCodeAt(index) > 0x7f) return Buffer.from(key, 'latin1').toString('utf8');
  return key;
}

/**
 * Checks that a key can be written.
 * @throws KeyTooLongError for a client error, TypeError for a key that was not made with {@link toKey}
 */
export function assertWritableKey(key: string): void {
  if (key.length > maximumKeyLength) throw new KeyTooLongError(key);
  let highest = 0;
  for (let index = 0; index < key.length; index += 1) highest |= key.charCodeAt(index);
  if (key === '' || highest > 0xff) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`);
}
