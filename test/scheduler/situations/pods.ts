import type { Pod, PodSpec } from '../../../src/model/generated/core-v1.ts';
import {
  NAMESPACES,
  randomAffinity,
  randomContainer,
  randomLabels,
  randomSpread,
  randomTolerations,
} from './pod-parts.ts';
import type { Random } from './random.ts';

export const PRIORITIES = [
  { metadata: { name: 'low' }, value: 10 },
  { metadata: { name: 'middle' }, value: 100 },
  { metadata: { name: 'high' }, value: 1000 },
  { metadata: { name: 'patient' }, value: 500, preemptionPolicy: 'Never' },
];

export interface PodShares {
  /** How often the pod says something about nodes and other pods. */
  readonly wishes: number;
  readonly priority: number;
}

/** A pod without a node. */
export function randomPod(random: Random, name: string, { wishes, priority }: PodShares): Pod {
  const spec: PodSpec = {
    containers: random.times(random.between(1, 2), (index) => randomContainer(random, `c${index}`)),
    ...(random.happens(0.15) && { initContainers: initContainers(random) }),
    ...(random.happens(wishes * 0.4) && { nodeSelector: { disk: random.pick(['ssd', 'hdd']) } }),
    ...(random.happens(wishes) && { affinity: randomAffinity(random) }),
    ...(random.happens(wishes * 0.6) && { topologySpreadConstraints: randomSpread(random) }),
    ...(random.happens(wishes) && { tolerations: randomTolerations(random) }),
    ...(random.happens(priority) && { priorityClassName: random.pick(PRIORITIES).metadata.name }),
  };
  return { metadata: { name, namespace: random.pick(NAMESPACES), labels: randomLabels(random) }, spec };
}

const initContainers = (random: Random): PodSpec['initContainers'] =>
  random.times(random.between(1, 2), (index) => {
    const { ports: _, ...container } = randomContainer(random, `i${index}`);
    return { ...container, ...(random.happens(0.5) && { restartPolicy: 'Always' }) };
  });

/** A pod that runs on a node. */
export function runningPod(random: Random, name: string, nodeName: string): Pod {
  const { metadata, spec } = randomPod(random, name, { wishes: 0.3, priority: 0.6 });
  const started = `2026-01-01T0${random.between(0, 9)}:00:00Z`;
  return {
    metadata,
    spec: { ...spec, nodeName },
    status: { phase: 'Running', startTime: started },
  };
}
