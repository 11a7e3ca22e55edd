import { describe, expect, it } from 'vitest';
import type { StatefulSet } from '../../../src/model/generated/apps-v1.ts';
import type { PersistentVolumeClaim } from '../../../src/model/generated/core-v1.ts';
import type { OwnerReference } from '../../../src/model/object.ts';
import {
  changedOwners,
  hasOtherController,
  isStale,
  mayUse,
  newClaims,
} from '../../../src/workloads/stateful-sets/claims.ts';
import { plan } from '../../../src/workloads/stateful-sets/plan.ts';
import { member, observed, statefulSet } from './objects.ts';

type Policy = 'Retain' | 'Delete';

const withClaims = (whenDeleted: Policy, whenScaled: Policy, replicas = 1): StatefulSet =>
  statefulSet({
    replicas,
    volumeClaimTemplates: [{ metadata: { name: 'data', labels: { tier: 'fast' } } }],
    persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
  });

const owner = (
  kind: string,
  name: string,
  uid: string,
  rest: Partial<OwnerReference> = {},
): OwnerReference => ({
  apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
  ...rest,
});

const claimOf = (...ownerReferences: OwnerReference[]): PersistentVolumeClaim => ({
  metadata: { namespace: 'ns', name: 'data-db-0', ownerReferences },
});

const kinds = (references: readonly OwnerReference[] | undefined): string[] | undefined =>
  references?.map(({ kind, uid }) => `${kind} ${uid}`);

describe('claims of a set', () => {
  it('have names and labels of the set', () => {
    expect(newClaims(withClaims('Retain', 'Retain'), 4)).toEqual([
      { metadata: { name: 'data-db-4', namespace: 'ns', labels: { tier: 'fast', app: 'db' } } },
    ]);
    const set = withClaims('Retain', 'Retain');
    expect(['data-db-0', 'data-db-x', 'logs-db-0', 'data-db-'].map((name) => mayUse(set, name))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['Retain', 'Retain', 0, []],
    ['Delete', 'Retain', 0, ['StatefulSet db']],
    ['Retain', 'Delete', 0, []],
    ['Delete', 'Delete', 0, ['StatefulSet db']],
    ['Delete', 'Retain', 1, ['StatefulSet db']],
    ['Retain', 'Delete', 1, ['Pod db-1-v1']],
    ['Delete', 'Delete', 1, ['Pod db-1-v1']],
  ] as const)(
    'with %s on deletion and %s on scaling, that of ordinal %i belongs to %j',
    (whenDeleted, whenScaled, ordinal, owners) => {
      const set = withClaims(whenDeleted, whenScaled);
      const changed = changedOwners(set, member(set, ordinal), claimOf());
      expect(kinds(changed) ?? []).toEqual(owners);
    },
  );

  it('lose their owners when the policy changes, and keep those of others', () => {
    const set = withClaims('Retain', 'Retain');
    const other = owner('Backup', 'b', 'b', { controller: false });
    const claim = claimOf(other, owner('StatefulSet', 'db', 'db'));
    expect(changedOwners(set, member(set, 0), claim)).toEqual([other]);
  });

  it('of an earlier set or Pod of the name stay as they are', () => {
    const set = withClaims('Delete', 'Delete');
    const pod = member(set, 0);
    expect(changedOwners(set, pod, claimOf(owner('StatefulSet', 'db', 'earlier')))).toBeUndefined();
    const stale = claimOf(owner('Pod', 'db-0', 'earlier'));
    expect(changedOwners(set, pod, stale)).toBeUndefined();
    expect(isStale(set, pod, stale)).toBe(true);
    expect(plan(observed(set, [], { findClaim: () => stale }))).toEqual([[]]);
  });

  it('that something else controls get no owner of ours', () => {
    const set = withClaims('Delete', 'Retain');
    const claim = claimOf(owner('Backup', 'b', 'b'));
    expect(hasOtherController(set, member(set, 0), claim)).toBe(true);
    expect(changedOwners(set, member(set, 0), claim)).toBeUndefined();
  });

  it('of a Pod to be removed get their owner before the Pod is deleted', () => {
    const set = withClaims('Retain', 'Delete', 0);
    const rounds = plan(observed(set, [member(set, 0)], { findClaim: () => claimOf() }));
    expect(rounds.flat(2).map(({ does }) => does)).toEqual(['own', 'delete']);
  });
});
