import type { Node, Pod } from '../../../src/model/generated/core-v1.ts';
import type { PodDisruptionBudget } from '../../../src/model/generated/policy-v1.ts';
import { randomSituation } from './generate.ts';
import { NAMESPACES, randomLabels } from './pod-parts.ts';
import { PRIORITIES, randomPod } from './pods.ts';
import { Random } from './random.ts';
import type { Situation } from './situation.ts';

/** Nodes that are full of pods with low priorities, and pods with higher ones. */
export function crowdedSituation(seed: number): Situation {
  const random = new Random(seed);
  const situation = randomSituation(seed);
  const nodes = situation.nodes.map(roomy);
  return {
    ...situation,
    nodes,
    pods: nodes.flatMap(({ metadata }) =>
      random.times(random.between(2, 4), (index) =>
        smallPod(random, `${metadata!.name}-${index}`, metadata!.name!),
      ),
    ),
    budgets: random.some(NAMESPACES, 0.6).map((namespace) => randomBudget(random, namespace)),
    probes: random.times(6, (index) => {
      const pod = randomPod(random, `probe${index}`, { wishes: 0.15, priority: 0 });
      return { ...pod, spec: { ...pod.spec, priorityClassName: random.pick(PRIORITIES).metadata.name } };
    }),
  };
}

const roomy = (node: Node): Node => ({
  ...node,
  spec: {},
  status: { ...node.status, allocatable: { cpu: '2', memory: '4Gi', pods: '4' }, capacity: { cpu: '2' } },
});

function smallPod(random: Random, name: string, nodeName: string): Pod {
  const ageInDays = random.between(1, 27);
  return {
    metadata: { name, namespace: random.pick(NAMESPACES), labels: randomLabels(random) },
    spec: {
      nodeName,
      priorityClassName: random.pick(['low', 'low', 'middle']),
      containers: [
        {
          name: 'c',
          image: 'busybox',
          resources: {
            requests: { cpu: random.pick(['500m', '700m', '1']), memory: random.pick(['500Mi', '1Gi']) },
          },
        },
      ],
    },
    status: { phase: 'Running', startTime: `2026-01-${String(ageInDays).padStart(2, '0')}T00:00:00Z` },
  };
}

const randomBudget = (random: Random, namespace: string): PodDisruptionBudget => ({
  metadata: { name: 'kept', namespace },
  spec: { minAvailable: 1, selector: { matchLabels: { app: random.pick(['web', 'db']) } } },
  status: {
    disruptionsAllowed: random.between(0, 1),
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
  },
});
