import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type { ResourceClaim } from '../../../src/model/generated/resource-v1beta1.ts';
import { planRelease, withoutProtection } from '../../../src/workloads/resource-claims/release.ts';
import { allocated, pod, user } from './objects.ts';

const release = (claim: ResourceClaim, ...pods: Pod[]) =>
  planRelease(claim, (name) => pods.find(({ metadata }) => metadata!.name === name));

describe('the users of a claim', () => {
  it('stay while they may run', () =>
    expect(release(allocated('a', 'b'), pod('a'), pod('b'))).toEqual({ isFree: false, isUnused: false }));

  it('are taken away when they are gone, replaced or done; the devices stay for the others', () => {
    const replaced = pod('b', { metadata: { uid: 'new' } });
    const finished = pod('c', { status: { phase: 'Succeeded' } });
    const never = pod('d', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
    const { status, ...rest } = release(
      allocated('a', 'b', 'c', 'd', 'e'),
      pod('a'),
      replaced,
      finished,
      never,
    );
    expect(rest).toEqual({ isFree: false, isUnused: false });
    expect(status!.status).toEqual({
      allocation: { devices: { results: [] } },
      reservedFor: [user('a')],
    });
  });

  it('that terminate on a node stay', () => {
    const terminating = pod('a', {
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      spec: { nodeName: 'n' },
    });
    expect(release(allocated('a'), terminating).isUnused).toBe(false);
  });

  it('that are no pods are not understood', () => {
    const claim = allocated();
    claim.status!.reservedFor = [{ apiGroup: 'x', resource: 'pods', name: 'a', uid: 'u' }];
    expect(() => release(claim)).toThrow('unsupported ReservedFor entry');
  });
});

describe('the devices of a claim', () => {
  it('are given back with the last user, and the finalizer after that', () => {
    const { status, isFree, isUnused } = release(allocated('a'));
    expect({ isFree, isUnused, status: status!.status }).toEqual({
      isFree: true,
      isUnused: true,
      status: {},
    });
    expect(withoutProtection(status!).metadata!.finalizers).toEqual(['other']);
  });

  it('stay if something else than the scheduler chose them', () => {
    const claim = allocated('a');
    claim.metadata!.finalizers = [];
    const { status, isFree } = release(claim);
    expect(isFree).toBe(false);
    expect(status!.status).toEqual({ allocation: { devices: { results: [] } } });
  });

  it('are given back when a claim that nobody uses is deleted', () => {
    expect(release(allocated())).toEqual({ isFree: false, isUnused: true });
    const going = allocated();
    going.metadata!.deletionTimestamp = '2026-01-01T00:00:00Z';
    const { status, isFree } = release(going);
    expect(isFree).toBe(true);
    expect(status!.status).not.toHaveProperty('allocation');
    expect(release({ ...going, status: {} })).toEqual({ isFree: true, isUnused: true });
  });
});
