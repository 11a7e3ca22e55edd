import type { KubernetesObject, OwnerReference } from '../model/object.ts';
import type { OperationContext } from './environment.ts';

/**
 * Drops owner references whose uid another one before them has, and warns the client. A create and a PUT are looked at before and after
 * mutating admission, a patch only after it: the text says when.
 */
export function dropRepeatedOwners({ request }: OperationContext, object: KubernetesObject, afterAdmission: boolean): void {
  const owners = object.metadata?.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const seen = new Set<string>();
  const kept: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const owner of owners) {
    const uid = owner.uid ?? '';
    if (seen.has(uid)) repeated.push(uid);
    else kept.push(owner);
    seen.add(uid);
  }
  if (repeated.length === 0) return;
  object.metadata!.ownerReferences = kept;
  const when = afterAdmission ? ' after mutating admission happens' : '';
  request.warnings.add(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  );
}
