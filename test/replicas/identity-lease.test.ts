import { describe, expect, it } from 'vitest';
import { identityLease } from '../../src/bootstrap/identity-lease.ts';
import { formatMicroTime } from '../../src/model/time.ts';
import { LEASES } from '../../src/reconcile/resources.ts';
import { maintainIdentityLease } from '../../src/replicas/identity-lease.ts';
import { AdjustableClock } from '../../src/time/adjustable-clock.ts';
import { processClock } from '../../src/time/clock.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { FakeClient } from './fake-client.ts';

const identity = { name: 'apiserver-a', holder: 'apiserver-a_1', hostname: 'host' };
const KEY = 'leases/kube-system/apiserver-a';

describe('the identity lease', () => {
  const start = () => {
    const [api, clock] = [new FakeClient(), new FakeClock()];
    const clusterClock = new AdjustableClock(processClock);
    clusterClock.freeze();
    const warnings: unknown[] = [];
    const logger = { warn: (...words: unknown[]) => void warnings.push(words) };
    const lease = maintainIdentityLease({
      client: api.client,
      identity,
      clock,
      clusterClock,
      logger: logger as unknown as Parameters<typeof maintainIdentityLease>[0]['logger'],
    });
    const renewTime = () => (api.objects.get(KEY)?.spec as { renewTime?: string } | undefined)?.renewTime;
    /** Lets the interval pass; requests of the client answer within a few microtasks. */
    const renewed = async () => {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { api, clusterClock, renewed, warnings, lease, renewTime };
  };

  it('is created when it is missing, and renewed with the version that was read', async () => {
    const { api, clusterClock, renewed, warnings, lease, renewTime } = start();
    await renewed();
    const first = renewTime();
    expect(first).toBe(formatMicroTime(clusterClock.now()));
    await clusterClock.advance(10_000);
    await renewed();
    expect(renewTime()! > first!).toBe(true);
    expect([api.writes, warnings]).toEqual([2, []]);
    await lease.stop();
  });

  it('is read again when another server wrote it meanwhile', async () => {
    const { api, renewed, warnings, lease } = start();
    const stored = await api.create(LEASES, identityLease(identity, 0));
    let requests = 0;
    api.before = () => {
      requests += 1;
      // The update follows the first read.
      if (requests !== 2) return undefined;
      api.before = () => undefined;
      return api.update(LEASES, stored).then(() => undefined);
    };
    await renewed();
    expect([api.writes, warnings]).toEqual([3, []]);
    await lease.stop();
  });

  it('is renewed when the time of the cluster has jumped, and those of other servers that are over are removed', async () => {
    const { api, clusterClock, renewed, warnings, lease, renewTime } = start();
    await renewed();
    const other = { name: 'apiserver-b', holder: 'apiserver-b_1', hostname: 'other' };
    await api.create(LEASES, identityLease(other, clusterClock.now()));
    await clusterClock.advance(3600_000 + 1);
    await renewed();
    expect(renewTime()).toBe(formatMicroTime(clusterClock.now()));
    expect([...api.objects.keys()]).toEqual([KEY]);
    expect(warnings).toEqual([]);
    await lease.stop();
    await clusterClock.advance(3600_000);
    expect(renewTime()).toBe(formatMicroTime(clusterClock.now() - 3600_000));
  });
});
