import { expect, it } from 'vitest';
import { LeaderElection } from '../../src/replicas/leader-election.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { bothClocks } from '../support/both-clocks.ts';
import { FakeClient } from './fake-client.ts';
import { advance, silentLogger } from './helpers.ts';

const LEASE = { namespace: 'kube-system', name: 'binnacle-controllers' };
const KEY = 'leases/kube-system/binnacle-controllers';

function candidate(api: FakeClient, clock: FakeClock, identity: string) {
  const calls: string[] = [];
  const election = new LeaderElection({
    client: api.client,
    lease: LEASE,
    identity,
    ...bothClocks(clock),
    logger: silentLogger,
    onStarted: () => void calls.push('started'),
    onStopped: async () => void calls.push('stopped'),
  });
  election.start();
  return { election, calls };
}

const specOf = (api: FakeClient) => api.objects.get(KEY)!.spec as Record<string, unknown>;

it('elects one of two processes, and the other one when it stops', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const one = candidate(api, clock, 'one');
  await advance(clock, 0);
  const other = candidate(api, clock, 'other');
  await advance(clock, 60_000);
  expect([one.calls, other.calls]).toEqual([['started'], []]);
  expect(specOf(api)).toMatchObject({ holderIdentity: 'one', leaseTransitions: 0, leaseDurationSeconds: 15 });
  await one.election.stop();
  expect(one.calls).toEqual(['started', 'stopped']);
  await advance(clock, 4000);
  expect(other.calls).toEqual(['started']);
  expect(specOf(api)).toMatchObject({ holderIdentity: 'other', leaseTransitions: 1 });
  await other.election.stop();
});

it('takes a lease that is not renewed for its duration, as observed', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  api.objects.set(KEY, {
    metadata: { ...LEASE, resourceVersion: '0' },
    // The clock of the holder is far behind.
    spec: { holderIdentity: 'gone', leaseDurationSeconds: 15, renewTime: '2001-01-01T00:00:00.000000Z' },
  });
  const { election, calls } = candidate(api, clock, 'one');
  await advance(clock, 14_000);
  expect(calls).toEqual([]);
  await advance(clock, 4000);
  expect(calls).toEqual(['started']);
  await election.stop();
});

it('stops leading when the lease cannot be renewed for ten seconds', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const { election, calls } = candidate(api, clock, 'one');
  await advance(clock, 0);
  api.before = () => Promise.reject(new Error('etcd is away'));
  await advance(clock, 8000);
  expect(calls).toEqual(['started']);
  await advance(clock, 4000);
  expect(calls).toEqual(['started', 'stopped']);
  api.before = () => undefined;
  await advance(clock, 4000);
  expect(calls).toEqual(['started', 'stopped', 'started']);
  await election.stop();
});

it('stops leading when another process has taken the lease', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const { election, calls } = candidate(api, clock, 'one');
  await advance(clock, 0);
  const stored = api.objects.get(KEY)!;
  await api.update(
    { group: '', version: 'v1', resource: 'leases', kind: 'Lease' },
    {
      ...stored,
      spec: { ...specOf(api), holderIdentity: 'other', renewTime: '2030-01-01T00:00:00.000000Z' },
    },
  );
  await advance(clock, 4000);
  expect(calls).toEqual(['started', 'stopped']);
  await election.stop();
});
