import { describe, expect, it } from 'vitest';
import type { Container } from '../../../src/model/generated/core-v1.ts';
import { SimulatedPod, START, states } from './simulated-pod.ts';

const main: Container = { name: 'main', image: 'app:1' };
const sh = (script: string, more: Container = {}): Container => ({
  ...main,
  command: ['sh', '-c', script],
  ...more,
});
const job = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j' }] };
const time = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000', '');

describe('a Pod', () => {
  it('runs and is ready with one write', () => {
    const pod = new SimulatedPod({ containers: [main] });
    expect(pod.history).toHaveLength(1);
    expect(pod.last?.due).toBeUndefined();
    expect(pod.status).toEqual({
      phase: 'Running',
      qosClass: 'BestEffort',
      startTime: time(0),
      hostIP: '10.0.1.1',
      hostIPs: [{ ip: '10.0.1.1' }],
      podIP: '10.244.0.1',
      podIPs: [{ ip: '10.244.0.1' }],
      conditions: [
        'PodReadyToStartContainers',
        'Initialized',
        'Ready',
        'ContainersReady',
        'PodScheduled',
      ].map((type) => ({
        type,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: time(0),
      })),
      containerStatuses: [
        {
          name: 'main',
          state: { running: { startedAt: time(0) } },
          lastState: {},
          ready: true,
          restartCount: 0,
          image: 'app:1',
          imageID: expect.stringMatching(/^app@sha256:[0-9a-f]{64}$/),
          containerID: 'simulated://u/main/0',
          started: true,
        },
      ],
    });
    expect(pod.step().history).toHaveLength(1);
  });

  it('says nothing until its start, unless that takes a second', () => {
    const soon = new SimulatedPod({ containers: [main] }, {}, { readyDelay: 300 });
    expect(soon.history).toHaveLength(0);
    expect(soon.pass(300).status.phase).toBe('Running');
    const later = new SimulatedPod({ containers: [main] }, {}, { readyDelay: 2000 });
    expect([later.status.phase, states(later)]).toEqual(['Pending', ['waiting ContainerCreating']]);
    expect(later.status.podIP).toBeUndefined();
    expect(later.pass(2000).status.phase).toBe('Running');
  });

  it('succeeds when its containers end', () => {
    const pod = new SimulatedPod({
      restartPolicy: 'Never',
      containers: [sh('sleep 2'), sh('sleep 1', { name: 'b' })],
    });
    expect(pod.pass(1000).condition('Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [b]',
    });
    expect(pod.pass(1000).status.phase).toBe('Succeeded');
    expect(states(pod)).toEqual(['terminated Completed 0', 'terminated Completed 0']);
    expect(pod.condition('Ready')).toMatchObject({ status: 'False', reason: 'PodCompleted' });
    expect(pod.condition('Initialized')).toMatchObject({ status: 'True', reason: 'PodCompleted' });
    expect(pod.condition('PodReadyToStartContainers')).toMatchObject({ status: 'False' });
    expect(pod.last?.due).toBeUndefined();
  });

  it('fails when a container fails that does not restart', () => {
    const pod = new SimulatedPod({ restartPolicy: 'Never', containers: [sh('exit 3')] });
    expect([pod.status.phase, states(pod)]).toEqual(['Failed', ['terminated Error 3']]);
    expect(pod.condition('Ready')).toMatchObject({ status: 'False', reason: 'PodFailed' });
    expect(pod.condition('Initialized')).toMatchObject({ status: 'True' });
  });

  it('backs off from 10 seconds to 5 minutes, and begins anew after 10 minutes', () => {
    const pod = new SimulatedPod({ containers: [sh('sleep 1; exit 1')] });
    const restarts: number[] = [];
    let known = 0;
    for (let second = 0; second < 1500; second += 1) {
      pod.pass(1000);
      const { restartCount = 0 } = pod.status.containerStatuses![0]!;
      if (restartCount !== known) restarts.push(second + 1);
      known = restartCount;
    }
    const waits = restarts.map((at, index) => at - (restarts[index - 1] ?? 0));
    expect(waits).toEqual([2, 11, 21, 41, 81, 161, 301, 301, 301]);
    expect(pod.status.containerStatuses![0]).toMatchObject({
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 5m0s restarting failed container=main pod=p_n(u)',
        },
      },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
      ready: false,
      started: false,
    });
    expect(pod.status.phase).toBe('Running');
    pod.annotate({ 'sim.binnacle.dev/exit-after': '11m' }).pass(5 * 60_000);
    expect(states(pod)).toEqual(['running']);
    pod.pass(11 * 60_000);
    // The first restart after a long run does not wait.
    expect(states(pod)).toEqual(['running']);
  });

  it('restarts on failure only', () => {
    const pod = new SimulatedPod(
      { restartPolicy: 'OnFailure', containers: [main] },
      {
        annotations: {
          'sim.binnacle.dev/exit-codes-by-restart': '1,0',
          'sim.binnacle.dev/exit-after': '100ms',
        },
      },
    );
    expect(states(pod.pass(100))).toEqual(['terminated Error 1']);
    expect(states(pod.pass(20))).toEqual(['running']);
    expect(pod.pass(100).status).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ restartCount: 1, lastState: { terminated: { exitCode: 1 } } }],
    });
  });

  it('runs init containers in order, with a sidecar beside them that ends last', () => {
    const pod = new SimulatedPod({
      restartPolicy: 'Never',
      initContainers: [
        sh('sleep 1', { name: 'first' }),
        { ...main, name: 'side', restartPolicy: 'Always' },
        sh('sleep 1', { name: 'second' }),
      ],
      containers: [sh('sleep 5')],
    });
    expect([pod.status.phase, states(pod)]).toEqual(['Pending', ['waiting PodInitializing']]);
    expect(pod.condition('Initialized')).toMatchObject({
      reason: 'ContainersNotInitialized',
      message: 'containers with incomplete status: [first side second]',
    });
    pod.pass(1000);
    expect(pod.condition('Initialized')?.message).toBe('containers with incomplete status: [second]');
    expect(pod.condition('Ready')?.message).toBe('containers with unready status: [main]');
    pod.pass(1000);
    expect([pod.status.phase, pod.condition('Ready')?.status]).toEqual(['Running', 'True']);
    pod.pass(5000);
    expect(pod.status.phase).toBe('Succeeded');
    expect(pod.status.initContainerStatuses).toMatchObject([
      { name: 'first', ready: true, started: false },
      {
        name: 'side',
        ready: false,
        started: false,
        state: { terminated: { exitCode: 0, reason: 'Completed' } },
      },
      { name: 'second', ready: true },
    ]);
  });

  it('restarts a sidecar whatever its policy', () => {
    const pod = new SimulatedPod({
      restartPolicy: 'Never',
      initContainers: [sh('sleep 1; exit 1', { name: 'side', restartPolicy: 'Always' })],
      containers: [main],
    });
    pod.pass(1500);
    expect(pod.status.initContainerStatuses![0]!.restartCount).toBe(1);
    expect(pod.status.phase).toBe('Running');
    expect(pod.condition('Initialized')?.status).toBe('True');
  });

  it('fails with an init container under Never, and waits for it otherwise', () => {
    const initContainers = [sh('false', { name: 'first' })];
    const never = new SimulatedPod({ restartPolicy: 'Never', initContainers, containers: [main] });
    expect(never.status).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
    });
    expect(never.condition('Initialized')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotInitialized',
    });
    const always = new SimulatedPod({ initContainers, containers: [main] });
    always.pass(1000);
    expect(always.status.phase).toBe('Pending');
    expect(always.status.initContainerStatuses![0]).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    });
  });

  it('fails at its deadline', () => {
    const pod = new SimulatedPod({ activeDeadlineSeconds: 5, containers: [main] }).pass(5000);
    expect(pod.status).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
    expect(states(pod)).toEqual(['terminated Error 143']);
  });

  it('is ready when its gates are', () => {
    const pod = new SimulatedPod({
      readinessGates: [{ conditionType: 'a/b' }, { conditionType: 'c/d' }],
      containers: [main],
    });
    expect(pod.condition('Ready')).toMatchObject({
      reason: 'ReadinessGatesNotReady',
      message:
        'corresponding condition of pod readiness gate "a/b" does not exist., corresponding condition of pod readiness gate "c/d" does not exist.',
    });
    expect(pod.condition('ContainersReady')?.status).toBe('True');
    pod.status.conditions!.push({ type: 'a/b', status: 'True' }, { type: 'c/d', status: 'False' });
    expect(pod.step().condition('Ready')?.message).toBe(
      'the status of pod readiness gate "c/d" is not "True", but False',
    );
    pod.status.conditions!.at(-1)!.status = 'True';
    expect(pod.step().condition('Ready')).toEqual({
      type: 'Ready',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: time(0),
    });
    expect(pod.condition('a/b')).toEqual({ type: 'a/b', status: 'True' });
  });

  it('begins again when its image changes', () => {
    const pod = new SimulatedPod({ restartPolicy: 'Never', containers: [{ ...main }] }).pass(1000);
    pod.pod.spec!.containers![0]!.image = 'app:2';
    expect(pod.step().status.containerStatuses).toMatchObject([
      {
        image: 'app:2',
        restartCount: 1,
        containerID: 'simulated://u/main/1',
        state: { running: { startedAt: time(1) } },
      },
    ]);
  });

  it('starts ephemeral containers', () => {
    const pod = new SimulatedPod({ containers: [main] });
    pod.pod.spec!.ephemeralContainers = [{ name: 'debug', image: 'busybox' }];
    expect(pod.step().status.ephemeralContainerStatuses).toMatchObject([
      { name: 'debug', ready: false, state: { running: {} } },
    ]);
    expect(pod.condition('Ready')?.status).toBe('True');
  });

  it('says for which generation its status is, from 1.34 on', () => {
    const pod = new SimulatedPod({ containers: [main] }, { generation: 1 });
    pod.observesGeneration = true;
    expect(pod.step().status.observedGeneration).toBe(1);
    expect(pod.condition('Ready')).toMatchObject({ observedGeneration: 1, lastTransitionTime: time(0) });
    pod.pod.metadata!.generation = 2;
    expect(pod.pass(5000).status.observedGeneration).toBe(2);
    expect(pod.condition('Ready')).toMatchObject({ observedGeneration: 2, lastTransitionTime: time(0) });
  });

  it('ends as another client says', () => {
    const pod = new SimulatedPod({ containers: [main] });
    pod.status.phase = 'Failed';
    pod.status.reason = 'Evicted';
    pod.step();
    expect(pod.status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
    expect(states(pod)).toEqual(['terminated Error 143']);
  });

  it('writes again what others change', () => {
    const pod = new SimulatedPod({ containers: [main] }).pass(5000);
    Object.assign(pod.condition('Ready')!, { status: 'False', lastTransitionTime: time(5) });
    expect(pod.step().condition('Ready')).toMatchObject({ status: 'True', lastTransitionTime: time(5) });
  });
});

describe('the end of a Job without a command', () => {
  it('comes after a delay', () => {
    const pod = new SimulatedPod({ restartPolicy: 'Never', containers: [main] }, job);
    expect(pod.status.phase).toBe('Running');
    expect(pod.pass(1000).status.phase).toBe('Succeeded');
  });

  it('does not come for an image that only waits', () => {
    const phaseOf = (image: string) =>
      new SimulatedPod({ restartPolicy: 'Never', containers: [{ ...main, image }] }, job).pass(60_000).status
        .phase;
    for (const image of ['pause', 'registry.k8s.io/pause:3.10', 'localhost:5000/pause@sha256:12'])
      expect(phaseOf(image)).toBe('Running');
    for (const image of ['pause/app:1', 'app:pause', 'unpause']) expect(phaseOf(image)).toBe('Succeeded');
  });

  it('comes as the annotations say', () => {
    const annotations = (more: Record<string, string>) => ({ ...job, annotations: more });
    const spec = { restartPolicy: 'Never', containers: [main] };
    const kwok = new SimulatedPod(spec, annotations({ 'pod-complete.stage.kwok.x-k8s.io/delay': '300ms' }));
    expect(kwok.pass(300).status.phase).toBe('Succeeded');
    const index = {
      'batch.kubernetes.io/job-completion-index': '1',
      'sim.binnacle.dev/exit-codes-by-index': '{"1":3,"2":"run"}',
    };
    expect(states(new SimulatedPod(spec, annotations(index)).pass(1000))).toEqual(['terminated Error 3']);
    const runs = { ...index, 'batch.kubernetes.io/job-completion-index': '2' };
    expect(states(new SimulatedPod(spec, annotations(runs)).pass(60_000))).toEqual(['running']);
  });
});
