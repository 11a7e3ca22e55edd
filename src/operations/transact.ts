import { groupResourceOf } from '../model/object.ts';
import { inSpan } from '../observability/span.ts';
import type { Transaction, TransactionResult } from '../storage/storage.ts';
import type { OperationContext } from './environment.ts';

/**
 * Writes one key. The spans have the names of kube-apiserver's store, whatever the store is, so that traces
 * can be compared.
 * @param step the operation; a deletion has no span of its own
 */
export function transact(
  { request, resource }: OperationContext,
  transaction: Transaction,
  step?: 'Create etcd3' | 'GuaranteedUpdate etcd3',
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
