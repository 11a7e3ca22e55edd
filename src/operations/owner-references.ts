import type { KubernetesObject, OwnerReference } from '../model/object.ts';
import type { OperationContext } from './environment.ts';

/**
 * Removes exact duplicates from the owner references and warns the client. References with the same uid but
 * other differences stay. A create and a PUT are checked before and after mutating admission, a patch only
 * after it; the warning says which.
 */
export function deduplicateOwnerReferences(
  { request }: Pick<OperationContext, 'request'>,
  object: KubernetesObject,
  afterAdmission: boolean,
): void {
  const owners = object.metadata?.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const seen = new Set<string>();
  const kept: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const owner of owners) {
    const {
      apiVersion = '',
      kind = '',
      name = '',
      uid = '',
      controller = null,
      blockOwnerDeletion = null,
    } = owner;
    const identity = JSON.stringify([uid, name, kind, apiVersion, controller, blockOwnerDeletion]);
    if (seen.has(identity)) repeated.push(uid);
    else kept.push(owner);
    seen.add(identity);
  }
  if (repeated.length === 0) return;
  object.metadata!.ownerReferences = kept;
  const when = afterAdmission ? ' after mutating admission happens' : '';
  request.warnings.add(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
      `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
