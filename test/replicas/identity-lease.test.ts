import { describe, expect, it } from 'vitest';
import { identityLease, LEASES, maintainIdentityLease } from '../../src/replicas/identity-lease.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { FakeClient } from './fake-client.ts';

const identity = { name: 'apiserver-a', holder: 'apiserver-a_1', hostname: 'host' };
const KEY = 'leases/kube-system/apiserver-a';

describe('the identity lease', () => {
  const start = () => {
    const [api, clock] = [new FakeClient(), new FakeClock()];
    const warnings: unknown[] = [];
    const logger = { warn: (...words: unknown[]) => void warnings.push(words) };
    const lease = maintainIdentityLease({
      client: api.client,
      identity,
      clock,
      logger: logger as unknown as Parameters<typeof maintainIdentityLease>[0]['logger'],
    });
    const renewTime = () => (api.objects.get(KEY)?.spec as { renewTime?: string } | undefined)?.renewTime;
    /** Lets the interval pass; requests of the client answer within a few microtasks. */
    const renewed = async () => {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { api, renewed, warnings, lease, renewTime };
  };

  it('is created when it is missing, and renewed with the version that was read', async () => {
    const { api, renewed, warnings, lease, renewTime } = start();
    await renewed();
    const first = renewTime();
    expect(first).toBeDefined();
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
});
