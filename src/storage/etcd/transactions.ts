import type { ProcessClock } from '../../time/clock.ts';
import {
  assertWritableKey,
  StorageUnavailableError,
  type Transaction,
  type TransactionResult,
} from '../storage.ts';
import { isLeaseNotFound, outcomeUnknown, toStorageError } from './call-errors.ts';
import { AmbiguousError, type Attempts, type Cluster } from './cluster.ts';
import { findChange } from './history.ts';
import type { KeyMapper } from './keys.ts';
import type { Leases } from './leases.ts';
import { decodeRange, decodeTransaction, type KeyValue, type TransactionResponse } from './messages.ts';
import { RANGE, TXN } from './paths.ts';
import { encodeRange, encodeTransaction } from './requests.ts';
import { toEntry } from './watch-stream.ts';

/** The store is asked about a lost answer until the deadline, and at least so long, in milliseconds. */
const INQUIRY_TIMEOUT = 2000;
const SAME_CHANGE = 'the answer was lost, and this client or another one made the change';

export interface TransactionsOptions {
  readonly cluster: Cluster;
  readonly clock: Pick<ProcessClock, 'monotonic'>;
  readonly keys: KeyMapper;
  readonly leases: Leases;
  /** Milliseconds for all attempts. */
  readonly timeout: number;
}

/**
 * Conditional changes, each carried out at most once.
 *
 * An update or deletion whose answer was lost is sent again: a revision of a key is never its revision again, so
 * at most one attempt finds it. If the condition then fails, the history of the key is read: the change is refused
 * if another one came first. Otherwise its outcome is unknown, because another writer may have made the same change.
 *
 * A creation whose answer was lost is never sent again. The key is absent before the creation and after a deletion,
 * so a second attempt could bring back an object that another client has deleted. The creation has succeeded if
 * the key was created with a value that no other writer has. Otherwise its outcome is unknown, even if the key is
 * absent: the attempt may still be carried out.
 */
export class Transactions {
  constructor(private readonly options: TransactionsOptions) {}

  async transact(transaction: Transaction): Promise<TransactionResult> {
    assertWritableKey(transaction.key);
    const { clock, leases, timeout } = this.options;
    const { value, timeToLiveSeconds } = transaction;
    const leased = value !== undefined && (timeToLiveSeconds ?? 0) > 0;
    const attempts: Attempts = { repeatable: transaction.expected > 0, ambiguous: false };
    const deadline = clock.monotonic() + timeout;
    try {
      for (;;) {
        const lease = leased ? await leases.take(timeToLiveSeconds!) : undefined;
        try {
          return await this.#send(transaction, lease, attempts, deadline);
        } catch (error) {
          if (lease === undefined || !isLeaseNotFound(error)) throw error;
          leases.forget(lease);
        }
      }
    } catch (error) {
      if (!(error instanceof AmbiguousError || attempts.ambiguous)) throw toStorageError(error);
      const created = attempts.repeatable ? undefined : await this.#findCreation(transaction, deadline);
      if (created !== undefined) return { succeeded: true, revision: created };
      throw outcomeUnknown(error);
    }
  }

  async #send(
    transaction: Transaction,
    lease: number | bigint | undefined,
    attempts: Attempts,
    deadline: number,
  ): Promise<TransactionResult> {
    const { clock, cluster, keys } = this.options;
    const timeout = deadline - clock.monotonic();
    if (timeout <= 0) throw new StorageUnavailableError('etcd does not answer in time; try again later');
    const key = keys.toEtcd(transaction.key);
    const { expected, value } = transaction;
    const request = encodeTransaction({ key, modRevision: expected, value, lease });
    const response = await cluster.call(TXN, request, decodeTransaction, { attempts, timeout });
    const { succeeded, current, header } = response;
    if (succeeded) {
      const unique = value !== undefined && keys.hasUid(key);
      cluster.witness.saw({ key, value, revision: header.revision, unique });
      return { succeeded, revision: header.revision };
    }
    if (attempts.ambiguous && (await this.#mayHaveMade(transaction, response, this.#patience(deadline))))
      throw new AmbiguousError(SAME_CHANGE);
    return { succeeded, current: current && toEntry(current, keys), revision: header.revision };
  }

  /** Milliseconds in which the store is asked about a lost answer. */
  #patience(deadline: number): number {
    return Math.max(INQUIRY_TIMEOUT, deadline - this.options.clock.monotonic());
  }

  /** Whether an earlier attempt may have made an update or deletion: it was the first change after its condition. */
  async #mayHaveMade(
    { key, expected, value }: Transaction,
    { current, header }: TransactionResponse,
    timeout: number,
  ): Promise<boolean> {
    const { cluster, keys } = this.options;
    const range = { from: expected + 1, to: current?.modRevision ?? header.revision, timeout };
    const change = await findChange(cluster, keys.toEtcd(key), range, () => true);
    if (change === undefined) return false;
    const { deleted, entry } = change;
    return value === undefined ? deleted : !deleted && Buffer.compare(entry.value, value) === 0;
  }

  /** Returns the revision at which the key was created with the unique value of a transaction. */
  async #findCreation({ key, value, unique }: Transaction, deadline: number): Promise<number | undefined> {
    if (value === undefined || unique !== true) return undefined;
    const timeout = this.#patience(deadline);
    try {
      let entry = await this.#read(key, undefined, timeout);
      // Another client has changed it since.
      if (entry !== undefined && entry.createRevision < entry.modRevision)
        entry = await this.#read(key, entry.createRevision, timeout);
      return entry !== undefined && Buffer.compare(entry.value, value) === 0 ? entry.modRevision : undefined;
    } catch {
      return undefined;
    }
  }

  async #read(key: string, revision: number | undefined, timeout: number): Promise<KeyValue | undefined> {
    const { cluster, keys } = this.options;
    const request = encodeRange({ key: keys.toEtcd(key), revision });
    return (await cluster.call(RANGE, request, decodeRange, { timeout })).entries[0];
  }
}
