import { describe, expect, it } from 'vitest';
import type { Container } from '../../../src/model/generated/core-v1.ts';
import { behaviorOf, PLAIN } from '../../../src/nodes/pods/behavior.ts';
import { dueAt, parseDelay } from '../../../src/nodes/pods/delay.ts';
import { SimulatedPod, START, states } from './simulated-pod.ts';

const main: Container = { name: 'main', image: 'app:1' };
const own = (annotations: Record<string, string>, spec = {}) =>
  new SimulatedPod(
    { containers: [main], ...spec },
    {
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, value]) => [`sim.binnacle.dev/${name}`, value]),
      ),
    },
  );
const FAILED = 'pod-container-running-failed.stage.kwok.x-k8s.io';

describe('annotations', () => {
  it('delay the start, and keep a Pod from being ready', () => {
    expect(own({ 'ready-delay': '700ms' }).status.phase).toBe('Pending');
    expect(own({ 'ready-delay': '700ms' }).pass(700).condition('Ready')?.status).toBe('True');
    const never = own({ 'ready-delay': 'never' });
    expect([never.status.phase, never.condition('Ready')?.status]).toEqual(['Running', 'False']);
    expect(never.last?.due).toBeUndefined();
  });

  it('change readiness while the Pod runs', () => {
    const pod = own({});
    expect(pod.annotate({ 'sim.binnacle.dev/ready': 'false' }).condition('Ready')?.reason).toBe(
      'ContainersNotReady',
    );
    expect(pod.annotate({ 'sim.binnacle.dev/ready': 'true' }).condition('Ready')?.status).toBe('True');
  });

  it('let readiness flap', () => {
    const pod = own({ flapping: '2s' });
    const seen = [0, 1, 2, 3, 4].map(() => {
      const { status } = pod.condition('Ready')!;
      pod.pass(1000);
      return status;
    });
    expect(seen).toEqual(['True', 'True', 'False', 'False', 'True']);
  });

  it('fail a running Pod', () => {
    const pod = own({}).annotate({ 'sim.binnacle.dev/fail': 'Evicted' });
    expect(pod.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The pod was told to fail',
    });
    expect(states(pod)).toEqual(['terminated Error 143']);
  });

  it('refuse a Pod', () => {
    expect(own({ reject: 'OutOfcpu' }).status).toEqual({
      phase: 'Failed',
      qosClass: 'BestEffort',
      reason: 'OutOfcpu',
      message: 'Pod was rejected: OutOfcpu',
      startTime: '2030-01-01T00:00:00Z',
    });
  });

  it('keep a Pod from starting', () => {
    expect(states(own({ start: 'never' }))).toEqual(['waiting ContainerCreating']);
    const image = own({ start: 'image-error' });
    expect(image.status.containerStatuses![0]!.state).toEqual({
      waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "app:1"' },
    });
    expect([image.status.phase, image.status.podIP, image.last?.due]).toEqual([
      'Pending',
      undefined,
      undefined,
    ]);
  });

  it('are not needed for an image that cannot be pulled', () => {
    const containers = [{ name: 'main', image: 'app:404' }];
    const pod = new SimulatedPod({ containers }, {}, {}, ['app:404', 'other:1']).pass(60_000);
    expect([pod.status.phase, ...states(pod)]).toEqual(['Pending', 'waiting ImagePullBackOff']);
    containers[0]!.image = 'app:1';
    expect(states(pod.step())).toEqual(['running']);
  });

  it('kill running containers, once for each value', () => {
    const pod = own({}).annotate({ 'sim.binnacle.dev/kill': 'OOMKilled' }).pass(100);
    expect(pod.status.containerStatuses).toMatchObject([
      {
        restartCount: 1,
        state: { running: {} },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
      },
    ]);
    expect(pod.restartNode().pass(60_000).status.containerStatuses![0]!.restartCount).toBe(1);
    pod.annotate({ 'sim.binnacle.dev/kill': 'Error' }).pass(30_000);
    expect(pod.status.containerStatuses![0]!.restartCount).toBe(2);
  });

  it('end containers', () => {
    const pod = own({ 'exit-code': '7', 'exit-after': '3s' }, { restartPolicy: 'Never' });
    expect(states(pod.pass(2999))).toEqual(['running']);
    expect(states(pod.pass(1))).toEqual(['terminated Error 7']);
    expect(own({ 'exit-after': '3s' }, { restartPolicy: 'Never' }).pass(3000).status.phase).toBe('Succeeded');
    const until = own({ 'exit-after': '2030-01-01T00:00:09Z' }, { restartPolicy: 'Never' });
    expect([until.pass(8999).status.phase, until.pass(1).status.phase]).toEqual(['Running', 'Succeeded']);
  });

  it('are problems where they say nothing', () => {
    const { problems, ...behavior } = behaviorOf({
      metadata: {
        annotations: {
          'sim.binnacle.dev/start': 'later',
          'sim.binnacle.dev/ready-delay': 'soon',
          'sim.binnacle.dev/exit-code': '256',
          'sim.binnacle.dev/exit-codes-by-restart': '1,x',
          'sim.binnacle.dev/exit-codes-by-index': '[1]',
          'sim.binnacle.dev/flapping': '1ms',
          'sim.binnacle.dev/fail': '',
        },
      },
    });
    expect(problems).toHaveLength(7);
    expect(problems).toContain('sim.binnacle.dev/exit-code: must be a number from 0 to 255');
    expect(behavior).toEqual({ ...PLAIN, problems: undefined });
  });

  it('named like members of objects say nothing', () => {
    expect(behaviorOf({ metadata: { annotations: JSON.parse('{"__proto__":"x","constructor":"y"}') } })).toBe(
      PLAIN,
    );
  });
});

describe("kwok's labels and annotations", () => {
  it('fail the containers of a running Pod, whatever its policy', () => {
    const pod = new SimulatedPod(
      { containers: [main, { ...main, name: 'b' }] },
      {
        labels: { [FAILED]: 'true' },
        annotations: {
          [`${FAILED}/reason`]: 'OOMKilled',
          [`${FAILED}/exit-code`]: '137',
          [`${FAILED}/container-name`]: 'b',
        },
      },
    );
    expect(pod.status.phase).toBe('Running');
    expect(pod.pass(1000).status.phase).toBe('Failed');
    expect(pod.status.containerStatuses).toMatchObject([
      { name: 'main' },
      {
        name: 'b',
        state: { terminated: { exitCode: 137, reason: 'OOMKilled', message: 'container failed' } },
      },
    ]);
  });

  it('count from when the label comes', () => {
    const pod = new SimulatedPod({ containers: [main] }).pass(60_000);
    pod.pod.metadata!.labels = { [FAILED]: 'true' };
    expect(pod.step().pass(999).status.phase).toBe('Running');
    expect(pod.pass(1).status.phase).toBe('Failed');
  });

  it('fail init containers', () => {
    const INIT = 'pod-init-container-running-failed.stage.kwok.x-k8s.io';
    const pod = new SimulatedPod(
      { initContainers: [{ ...main, name: 'i', command: ['sleep', '60'] }], containers: [main] },
      { labels: { [INIT]: 'true' } },
    ).pass(1000);
    expect(pod.status).toMatchObject({
      phase: 'Failed',
      initContainerStatuses: [{ state: { terminated: { exitCode: 1, reason: 'initContainerError' } } }],
    });
  });

  it('fail each run of a container, which then restarts', () => {
    const name = 'pod-container-failed.stage.kwok.x-k8s.io';
    const pod = new SimulatedPod(
      { containers: [main] },
      {
        annotations: {
          [`${name}/name`]: 'main',
          [`${name}/reason`]: 'OOMKilled',
          [`${name}/exit-code`]: '137',
        },
      },
    ).pass(2500);
    expect(pod.status.containerStatuses).toMatchObject([
      {
        restartCount: 1,
        lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } },
        state: { waiting: { reason: 'CrashLoopBackOff' } },
      },
    ]);
  });
});

describe('parseDelay', () => {
  it.each([
    ['300ms', 300],
    ['1m30s', 90_000],
    ['250', 250],
    ['0', 0],
    ['2030-01-01T00:00:05Z', 5000],
  ])('reads %j', (text, wait) => {
    expect(dueAt(parseDelay(text)!, START) - START).toBe(wait);
  });

  it.each(['', '-1s', 'soon', '1x', '2030-01-01T99:00:00Z', '9e99', '1'.repeat(40), '999999999h'])(
    'refuses %j',
    (text) => {
      expect(parseDelay(text)).toBeUndefined();
    },
  );
});
