import type { KnownState } from '../cache/written-states.ts';
import { groupResourceOf } from '../model/object.ts';
import { inSpan } from '../observability/span.ts';
import type { Transaction, TransactionResult } from '../storage/storage.ts';
import { stateOf } from './compare-and-swap.ts';
import type { OperationContext } from './environment.ts';
import { isRefusedWrite } from './store-errors.ts';

/** What became of a transaction that was sent to the store. */
export type TransactionOutcome =
  /** The change is stored. */
  | { readonly state: 'stored'; readonly revision: number }
  /** Nothing is stored: the key was not at the expected revision. */
  | { readonly state: 'lost'; readonly current: KnownState }
  /** The change may be stored, or may be stored later. */
  | { readonly state: 'unknown'; readonly error: unknown };

/** The outcome of a transaction that was answered. */
export type KnownOutcome = Exclude<TransactionOutcome, { readonly state: 'unknown' }>;

type Step = 'Create etcd3' | 'GuaranteedUpdate etcd3';

/**
 * Writes one key. The spans have the names of kube-apiserver's store, whatever the store is, so that traces
 * can be compared.
 * @param step the operation; a deletion has no span of its own
 * @throws the error with which the store refused the change: nothing is stored, and will not be
 */
export async function transact(
  context: OperationContext,
  transaction: Transaction,
  step?: Step,
): Promise<TransactionOutcome> {
  let result: TransactionResult;
  try {
    result = await send(context, transaction, step);
  } catch (error) {
    if (isRefusedWrite(error)) throw error;
    return { state: 'unknown', error };
  }
  const { succeeded, revision } = result;
  if (succeeded) return { state: 'stored', revision };
  const current = stateOf(context.resource.stored, transaction.key, result.current, revision);
  return { state: 'lost', current };
}

/** The outcome of a transaction. @throws the error after which it is unknown */
export function known(outcome: TransactionOutcome): KnownOutcome {
  if (outcome.state === 'unknown') throw outcome.error;
  return outcome;
}

function send(
  { request, resource }: OperationContext,
  transaction: Transaction,
  step: Step | undefined,
): Promise<TransactionResult> {
  const { row, stored } = resource;
  const commit = (span = request.span) =>
    inSpan(span, 'etcdserverpb.KV/Txn', () => stored.storage.transact(transaction), 'client');
  return step === undefined
    ? commit()
    : inSpan(request.span, step, commit, 'internal', () => ({
        'audit-id': request.auditId,
        key: transaction.key,
        type: row.kind,
        resource: groupResourceOf(row.group, row.resource),
      }));
}
