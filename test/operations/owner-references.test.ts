import { expect, it } from 'vitest';
import type { OperationContext } from '../../src/operations/environment.ts';
import { deduplicateOwnerReferences } from '../../src/operations/owner-references.ts';

function dropped(ownerReferences: object[]): { owners: unknown; warnings: string[] } {
  const warnings = new Set<string>();
  const object = { metadata: { ownerReferences: ownerReferences as [] } };
  deduplicateOwnerReferences({ request: { warnings } } as unknown as OperationContext, object, true);
  return { owners: object.metadata.ownerReferences, warnings: [...warnings] };
}

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

it('drops an owner reference that repeats another in every member, and warns', () => {
  const { owners, warnings } = dropped([owner, { ...owner }]);
  expect(owners).toEqual([owner]);
  expect(warnings[0]).toContain('duplicate UID(s) observed: u');
});

it('keeps owner references that only share a uid', () => {
  const others = [owner, { ...owner, name: 'q' }, { ...owner, controller: false }];
  expect(dropped(others)).toEqual({ owners: others, warnings: [] });
});
