import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Container, PodSpec, PodStatus } from '../../../src/model/generated/core-v1.ts';
import { podRequests } from '../../../src/scheduler/objects/pod-requests.ts';
import { requested } from '../naive/requests.ts';
import { randomPod } from '../situations/pods.ts';
import { Random } from '../situations/random.ts';
import { NO_GATES } from '../world.ts';

const container = (name: string, requests: Record<string, string>, restartPolicy?: string): Container => ({
  name,
  resources: { requests },
  ...(restartPolicy && { restartPolicy }),
});

const of = (spec: PodSpec, status: PodStatus = {}, gates = NO_GATES) => podRequests({ spec, status }, gates);

it('is the most that a pod needs at any moment', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const pod = randomPod(new Random(seed), 'p', { wishes: 0, priority: 0 });
      const { requests } = podRequests(pod, NO_GATES);
      expect(requests.milliCpu).toBe(requested(pod, 'cpu'));
      expect(requests.memory).toBe(requested(pod, 'memory'));
      expect(requests.scalars?.get('example.com/gpu') ?? 0).toBe(requested(pod, 'example.com/gpu'));
    }),
  );
});

it('adds the overhead, and rounds sums up', () => {
  const { requests } = of({
    containers: [container('a', { cpu: '100u', memory: '1500m' }), container('b', { memory: '1500m' })],
    overhead: { cpu: '250m' },
  });
  expect(requests).toMatchObject({ milliCpu: 251, memory: 3 });
});

it('counts containers without requests as small ones for scores alone', () => {
  const { requests, nonZero } = of({ containers: [container('a', { cpu: '1' }), container('b', {})] });
  expect(requests).toMatchObject({ milliCpu: 1000, memory: 0 });
  expect(nonZero).toEqual({ milliCpu: 1100, memory: 2 * 200 * 1024 * 1024 });
});

it('takes requests of the pod itself where the gate is on', () => {
  const spec = { containers: [container('a', { cpu: '1' })], resources: { requests: { cpu: '3' } } };
  expect(of(spec).requests.milliCpu).toBe(1000);
  const { requests, nonZero } = of(spec, {}, { ...NO_GATES, podLevelResources: true });
  expect(requests.milliCpu).toBe(3000);
  expect(nonZero).toEqual({ milliCpu: 3000, memory: 200 * 1024 * 1024 });
});

it('counts what a container still has until it is resized, where the gate is on', () => {
  const spec = { containers: [container('a', { cpu: '1' })] };
  const statuses = { containerStatuses: [{ name: 'a', resources: { requests: { cpu: '2' } } }] };
  const gates = { ...NO_GATES, resizedPods: true };
  expect(of(spec, statuses).requests.milliCpu).toBe(1000);
  expect(of(spec, statuses, gates).requests.milliCpu).toBe(2000);
  const larger = { containers: [container('a', { cpu: '4' })] };
  expect(of(larger, statuses, gates).requests.milliCpu).toBe(4000);
  expect(of(larger, { ...statuses, resize: 'Infeasible' }, gates).requests.milliCpu).toBe(2000);
});

it('counts no resources that are not scheduled', () => {
  const { requests } = of({
    containers: [container('a', { storage: '1Gi', 'requests.example.com/x': '1', 'example.com/x': '2' })],
  });
  expect([...(requests.scalars ?? [])]).toEqual([['example.com/x', 2]]);
});
