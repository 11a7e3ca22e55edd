import { describe, expect, it } from 'vitest';
import type { Container } from '../../../src/model/generated/core-v1.ts';
import { SimulatedPod, states } from './simulated-pod.ts';

const main: Container = { name: 'main', image: 'app:1' };
const preStop = (seconds: number): Container => ({ lifecycle: { preStop: { sleep: { seconds } } } });

describe('a Pod that is deleted', () => {
  it('ends at once without delays: its status is written, then it is removed', () => {
    const pod = new SimulatedPod({ containers: [main] });
    const before = pod.history.length;
    pod.delete();
    expect(pod.isRemoved).toBe(true);
    expect(pod.history).toHaveLength(before + 1);
    expect([pod.status.phase, states(pod)]).toEqual(['Failed', ['terminated Error 143']]);
  });

  it('stays ready until its stop delay, at most its grace period', () => {
    const pod = new SimulatedPod({ containers: [main] }, {}, { stopDelay: 5000 });
    pod.delete(30).pass(4000);
    expect([pod.condition('Ready')?.status, pod.isRemoved]).toEqual(['True', false]);
    expect(pod.pass(1000).isRemoved).toBe(true);
    const short = new SimulatedPod({ containers: [main] }, {}, { stopDelay: 5000 }).delete(2).pass(2000);
    expect([states(short), short.isRemoved]).toEqual([['terminated Error 143'], true]);
  });

  it('takes its whole grace period if its annotation says so', () => {
    const annotations = { 'sim.binnacle.dev/stop-delay': 'grace' };
    const pod = new SimulatedPod({ containers: [main] }, { annotations });
    pod.delete(60).pass(59_000);
    expect(pod.isRemoved).toBe(false);
    // A shorter grace period of a second deletion counts from the first one.
    pod.pod.metadata!.deletionGracePeriodSeconds = 1;
    expect(pod.step().isRemoved).toBe(true);
  });

  it('is kept by finalizers after its removal was asked for', () => {
    const pod = new SimulatedPod({ containers: [main] }, { finalizers: ['a/b'] });
    pod.delete();
    expect(pod.last?.isRemoved).toBe(true);
    pod.pod.metadata!.deletionGracePeriodSeconds = 0;
    expect(pod.step().last?.isRemoved).toBe(false);
  });

  it('lets hooks end, the sidecar after the main containers', () => {
    const pod = new SimulatedPod({
      initContainers: [{ ...main, ...preStop(3), name: 'side', restartPolicy: 'Always' }],
      containers: [
        { ...main, ...preStop(5) },
        { ...main, name: 'b' },
      ],
    });
    pod.delete(30);
    expect(states(pod)).toEqual(['running', 'terminated Error 143']);
    pod.pass(5000);
    expect(states(pod)).toEqual(['terminated Error 143', 'terminated Error 143']);
    expect(pod.status.initContainerStatuses![0]!.state).toHaveProperty('running');
    expect(pod.pass(3000).isRemoved).toBe(true);
  });

  it('kills at the end of the grace period what a hook keeps', () => {
    const pod = new SimulatedPod({ containers: [{ ...main, ...preStop(60) }] }).delete(10).pass(10_000);
    expect([states(pod), pod.isRemoved]).toEqual([['terminated Error 137'], true]);
  });

  it('is removed without a status before it has started', () => {
    const pod = new SimulatedPod({ containers: [main] }, {}, { readyDelay: 500 }).delete();
    expect([pod.isRemoved, pod.history]).toEqual([true, []]);
  });

  it('is removed at once when it has finished', () => {
    const pod = new SimulatedPod(
      { restartPolicy: 'Never', containers: [{ ...main, command: ['true'] }] },
      {},
      { stopDelay: 5000 },
    );
    const written = pod.history.length;
    pod.delete();
    expect([pod.status.phase, pod.isRemoved, pod.history.length]).toEqual(['Succeeded', true, written]);
  });

  it('does not begin again what waits for its back-off', () => {
    const pod = new SimulatedPod(
      {
        containers: [
          { ...main, command: ['false'] },
          { ...main, name: 'b' },
        ],
      },
      {},
      { stopDelay: 60_000 },
    );
    pod.pass(1000).delete(120).pass(30_000);
    expect(pod.status.containerStatuses![0]).toMatchObject({
      restartCount: 1,
      state: { terminated: { exitCode: 1 } },
    });
  });
});
