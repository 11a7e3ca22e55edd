import type { Clock } from '../../time/clock.ts';
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
import { decodeTransaction, type TransactionResponse, type WatchEvent } from './messages.ts';
import { TXN } from './paths.ts';
import { encodeTransaction } from './requests.ts';
import { toEntry } from './watch-stream.ts';

/** The history is read until the deadline, and at least so long, in milliseconds. */
const HISTORY_TIMEOUT = 2000;
const SAME_CHANGE = 'the answer was lost, and this client or another one made the change';

export interface TransactionsOptions {
  readonly cluster: Cluster;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly keys: KeyMapper;
  readonly leases: Leases;
  /** Milliseconds for all attempts. */
  readonly timeout: number;
}

/**
 * Conditional changes. One whose answer was lost is sent again with the same condition, so that it is carried out
 * at most once. If the condition then fails, the history of the key is read. A creation is found by its bytes. An
 * update or deletion is refused if another change came first. Otherwise its outcome is unknown, because another
 * writer may have made the same change. A creation is repeated if another client deletes the key between the
 * attempts: the history of the key contains both, and the repeated one is deleted.
 */
export class Transactions {
  constructor(private readonly options: TransactionsOptions) {}

  async transact(transaction: Transaction): Promise<TransactionResult> {
    assertWritableKey(transaction.key);
    const { cluster, clock, leases, timeout } = this.options;
    const { value, timeToLiveSeconds } = transaction;
    const leased = value !== undefined && (timeToLiveSeconds ?? 0) > 0;
    const attempts: Attempts = { ambiguous: false };
    const deadline = clock.monotonic() + timeout;
    const before = cluster.revision;
    try {
      for (;;) {
        const lease = leased ? await leases.take(timeToLiveSeconds!) : undefined;
        try {
          return await this.#send(transaction, lease, attempts, before, deadline);
        } catch (error) {
          if (lease === undefined || !isLeaseNotFound(error)) throw error;
          leases.forget(lease);
        }
      }
    } catch (error) {
      if (error instanceof AmbiguousError || attempts.ambiguous) throw outcomeUnknown(error);
      throw toStorageError(error);
    }
  }

  async #send(
    transaction: Transaction,
    lease: number | bigint | undefined,
    attempts: Attempts,
    before: number,
    deadline: number,
  ): Promise<TransactionResult> {
    const { clock, cluster, keys } = this.options;
    const timeout = deadline - clock.monotonic();
    if (timeout <= 0) throw new StorageUnavailableError('etcd does not answer in time; try again later');
    const key = keys.toEtcd(transaction.key);
    const request = encodeTransaction({
      key,
      modRevision: transaction.expected,
      value: transaction.value,
      lease,
    });
    const response = await cluster.call(TXN, request, decodeTransaction, { attempts, timeout });
    const answered = response.succeeded
      ? ({ succeeded: true, revision: response.header.revision } as const)
      : this.#refusal(response);
    const isCreation = transaction.expected === 0;
    if (!attempts.ambiguous || (response.succeeded && !isCreation)) return answered;
    const patience = Math.max(HISTORY_TIMEOUT, deadline - clock.monotonic());
    const same = await this.#sameChange(key, transaction, before, response, patience);
    if (same === undefined) return answered;
    if (!isCreation) throw new AmbiguousError(SAME_CHANGE);
    if (response.succeeded && same === answered.revision) return answered;
    const made = response.succeeded ? answered.revision : ownRevision(transaction, response);
    if (made !== undefined && made !== same) await this.#undo(key, made, patience);
    return { succeeded: true, revision: same, inferred: true };
  }

  /** Deletes what a further creation wrote, unless it has changed: another client deleted the first one. */
  async #undo(key: string, modRevision: number, timeout: number): Promise<void> {
    const request = encodeTransaction({ key, modRevision, value: undefined, lease: undefined });
    await this.options.cluster.call(TXN, request, decodeTransaction, { timeout });
  }

  #refusal({ current, header }: TransactionResponse): TransactionResult {
    return {
      succeeded: false,
      current: current && toEntry(current, this.options.keys),
      revision: header.revision,
    };
  }

  /**
   * Returns the revision of a change that an earlier attempt may have made. An update or deletion can only be the
   * first change after the expected revision; a creation is the one that wrote these bytes.
   * @param before a revision before the first attempt
   */
  async #sameChange(
    key: string,
    { expected, value }: Transaction,
    before: number,
    { current, header }: TransactionResponse,
    timeout: number,
  ): Promise<number | undefined> {
    const isSame = ({ deleted, entry }: WatchEvent) =>
      value === undefined ? deleted : !deleted && Buffer.compare(entry.value, value) === 0;
    const change = await findChange(
      this.options.cluster,
      key,
      {
        from: (expected || before) + 1,
        to: current?.modRevision ?? header.revision,
        timeout,
      },
      expected > 0 ? () => true : isSame,
    );
    return change !== undefined && isSame(change) ? change.entry.modRevision : undefined;
  }
}

/** The revision at which the key has got the bytes of a transaction, if it still has them. */
function ownRevision({ value }: Transaction, { current }: TransactionResponse): number | undefined {
  if (current === undefined || value === undefined) return undefined;
  return Buffer.compare(current.value, value) === 0 ? current.modRevision : undefined;
}
