import { expect, it } from 'vitest';
import { endOfLease, isHeldByAnother, newLease } from '../../src/nodes/lease.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');

it('a Lease belongs to its node', () => {
  expect(newLease({ metadata: { name: 'n', uid: 'u' } }, NOW)).toEqual({
    metadata: {
      name: 'n',
      namespace: 'kube-node-lease',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
    },
    spec: { holderIdentity: 'n', leaseDurationSeconds: 40, renewTime: '2030-01-01T00:00:00.000000Z' },
  });
});

it('another holder keeps a Lease until it ends', () => {
  const lease = { spec: { ...newLease({ metadata: { name: 'n' } }, NOW).spec, holderIdentity: 'kwok' } };
  expect(endOfLease(lease)).toBe(NOW + 40_000);
  expect(isHeldByAnother(lease, 'n', NOW + 39_999)).toBe(true);
  expect(isHeldByAnother(lease, 'n', NOW + 40_000)).toBe(false);
  expect(isHeldByAnother(lease, 'kwok', NOW)).toBe(false);
  expect(isHeldByAnother({ spec: { holderIdentity: '' } }, 'n', NOW)).toBe(false);
  expect(isHeldByAnother({ spec: { holderIdentity: 'x' } }, 'n', NOW)).toBe(false);
  expect(isHeldByAnother({}, 'n', NOW)).toBe(false);
});
