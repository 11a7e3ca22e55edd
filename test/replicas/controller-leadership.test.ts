import { expect, it } from 'vitest';
import { formatMicroTime } from '../../src/model/time.ts';
import { ControllerLeadership } from '../../src/replicas/controller-leadership.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { bothClocks } from '../support/both-clocks.ts';
import { FakeClient } from './fake-client.ts';
import { advance, silentLogger } from './helpers.ts';

const MANAGER = 'leases/kube-system/kube-controller-manager';

function start(api: FakeClient, clock: FakeClock, identity: string, shared: boolean) {
  const state = { runs: false };
  const leadership = new ControllerLeadership({
    client: api.client,
    controllers: {
      start() {
        state.runs = true;
      },
      async end() {
        state.runs = false;
      },
    },
    programs: ['kube-controller-manager'],
    watchLease: (_program, listener) => api.onWrite(MANAGER, listener),
    identity,
    shared,
    ...bothClocks(clock),
    logger: silentLogger,
  });
  leadership.start();
  return { leadership, state };
}

const renewManager = (api: FakeClient, clock: FakeClock): void =>
  api.put(MANAGER, {
    metadata: { namespace: 'kube-system', name: 'kube-controller-manager' },
    spec: { holderIdentity: 'm', leaseDurationSeconds: 15, renewTime: formatMicroTime(clock.now()) },
  });

it('runs the controllers of the only server at once', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const { leadership, state } = start(api, clock, 'one', false);
  await advance(clock, 0);
  expect(state.runs).toBe(true);
  expect(api.writes).toBe(0);
  await leadership.stop();
});

it('runs them on one of several servers', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const servers = ['one', 'two', 'three'].map((identity) => start(api, clock, identity, true));
  await advance(clock, 30_000);
  expect(servers.filter(({ state }) => state.runs)).toHaveLength(1);
  await servers.find(({ state }) => state.runs)!.leadership.stop();
  await advance(clock, 5000);
  expect(servers.filter(({ state }) => state.runs)).toHaveLength(1);
  for (const { leadership } of servers) await leadership.stop();
});

it.each([false, true])(
  'stops them while a kube-controller-manager renews its lease (shared: %s)',
  async (shared) => {
    const [api, clock] = [new FakeClient(), new FakeClock()];
    const { leadership, state } = start(api, clock, 'one', shared);
    await advance(clock, 3000);
    expect(state.runs).toBe(true);
    for (let second = 0; second < 40; second += 2) {
      renewManager(api, clock);
      await advance(clock, 2000);
    }
    expect(state.runs).toBe(false);
    await advance(clock, 20_000);
    expect(state.runs).toBe(true);
    await leadership.stop();
  },
);

it('stops them with the write of the lease, and starts them when it was not renewed', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const { leadership, state } = start(api, clock, 'one', false);
  await advance(clock, 0);
  renewManager(api, clock);
  await advance(clock, 0);
  expect(state.runs).toBe(false);
  await advance(clock, 14_000);
  expect(state.runs).toBe(false);
  await advance(clock, 1000);
  expect(state.runs).toBe(true);
  await leadership.stop();
});

it('stops those of one program only', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  const running = new Set<string>();
  const leadership = new ControllerLeadership({
    client: api.client,
    controllers: {
      start: (program) => void running.add(program),
      end: async (program) => void running.delete(program),
    },
    programs: ['kube-controller-manager', 'kube-scheduler'],
    watchLease: (program, listener) => api.onWrite(`leases/kube-system/${program}`, listener),
    identity: 'one',
    shared: false,
    ...bothClocks(clock),
    logger: silentLogger,
  });
  leadership.start();
  await advance(clock, 0);
  renewManager(api, clock);
  await advance(clock, 0);
  expect([...running]).toEqual(['kube-scheduler']);
  await leadership.stop();
});

it('does not wait for a kube-controller-manager that ended before the start', async () => {
  const [api, clock] = [new FakeClient(), new FakeClock()];
  renewManager(api, clock);
  await advance(clock, 60_000);
  const { leadership, state } = start(api, clock, 'one', false);
  await advance(clock, 0);
  expect(state.runs).toBe(true);
  await leadership.stop();
});
