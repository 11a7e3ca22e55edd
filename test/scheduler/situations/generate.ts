import { randomNode } from './nodes.ts';
import { NAMESPACES } from './pod-parts.ts';
import { PRIORITIES, randomPod, runningPod } from './pods.ts';
import { Random } from './random.ts';
import { EMPTY_SITUATION, type Situation } from './situation.ts';

const PROBES = 8;

/** A cluster of a few nodes with pods on them, and pods to be scheduled. */
export function randomSituation(seed: number): Situation {
  const random = new Random(seed);
  const nodes = random.times(random.between(1, 6), (index) => randomNode(random, index));
  const names = nodes.map(({ metadata }) => metadata!.name!);
  const services = random.maybe(0.5, () => [
    {
      metadata: { name: 'web', namespace: 'one' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    },
  ]);
  return {
    ...EMPTY_SITUATION,
    namespaces: NAMESPACES.map((name, index) => ({
      metadata: { name, labels: { team: index === 0 ? 'x' : 'y' } },
    })),
    priorityClasses: PRIORITIES,
    nodes,
    pods: random.times(random.between(0, 3 * nodes.length), (index) =>
      runningPod(random, `p${index}`, random.pick(names)),
    ),
    services: services ?? [],
    budgets:
      random.maybe(0.4, () => [
        {
          metadata: { name: 'kept', namespace: random.pick(NAMESPACES) },
          spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
          status: {
            disruptionsAllowed: random.between(0, 1),
            currentHealthy: 1,
            desiredHealthy: 1,
            expectedPods: 1,
          },
        },
      ]) ?? [],
    probes: random.times(PROBES, (index) =>
      randomPod(random, `probe${index}`, { wishes: 0.5, priority: random.pick([0, 0.5]) }),
    ),
  };
}
