import type {
  Affinity,
  Container,
  NodeSelectorTerm,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '../../../src/model/generated/core-v1.ts';
import type { LabelSelector } from '../../../src/model/generated/meta-v1.ts';
import { HOSTNAME, IMAGES, ZONE } from './nodes.ts';
import type { Random } from './random.ts';

export const NAMESPACES = ['one', 'two'];
const APPS = ['web', 'db', 'cache'];

export const randomLabels = (random: Random): Record<string, string> => ({
  ...(random.happens(0.85) && { app: random.pick(APPS) }),
  ...(random.happens(0.4) && { tier: random.pick(['front', 'back']) }),
  ...(random.happens(0.3) && { version: random.pick(['v1', 'v2']) }),
  ...(random.happens(0.5) && { color: random.pick(['red', 'blue']) }),
});

export function randomSelector(random: Random): LabelSelector {
  return random.pick<() => LabelSelector>([
    () => ({ matchLabels: { app: random.pick(APPS) } }),
    () => ({ matchLabels: { app: random.pick(APPS), tier: random.pick(['front', 'back']) } }),
    () => ({ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'db'] }] }),
    () => ({ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }] }),
    () => ({ matchExpressions: [{ key: 'version', operator: 'Exists' }] }),
    () => ({}),
  ])();
}

export function randomContainer(random: Random, name: string): Container {
  const requests = {
    ...(random.happens(0.7) && { cpu: random.pick(['100m', '500m', '1', '1500m', '0.3']) }),
    ...(random.happens(0.6) && { memory: random.pick(['100Mi', '1Gi', '1500M', '3Gi']) }),
    ...(random.happens(0.15) && { 'ephemeral-storage': random.pick(['1Gi', '20Gi']) }),
    ...(random.happens(0.1) && { 'example.com/gpu': random.pick(['1', '2']) }),
    ...(random.happens(0.05) && { 'hugepages-2Mi': '32Mi', memory: '64Mi' }),
  };
  const exact = Object.entries(requests).filter(([key]) => key.includes('/') || key.startsWith('hugepages'));
  return {
    name,
    image: random.pick(IMAGES),
    resources: { requests, ...(exact.length > 0 && { limits: Object.fromEntries(exact) }) },
    ...(name === 'c0' && random.happens(0.25) && { ports: [randomPort(random)] }),
  };
}

function randomPort(random: Random): NonNullable<Container['ports']>[number] {
  const port = random.pick([8080, 9090]);
  return {
    containerPort: port,
    hostPort: port,
    protocol: random.pick(['TCP', 'UDP']),
    ...(random.happens(0.4) && { hostIP: random.pick(['10.0.0.1', '10.0.0.2', '0.0.0.0']) }),
  };
}

export const randomTolerations = (random: Random): Toleration[] =>
  random.some<Toleration>(
    [
      { key: 'dedicated', operator: 'Exists' },
      { key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' },
      { key: 'slow', operator: 'Exists', effect: 'PreferNoSchedule' },
      { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
      { operator: 'Exists', effect: 'PreferNoSchedule' },
    ],
    0.25,
  );

/** A term that is met by some of the nodes. */
export function randomNodeTerm(random: Random): NodeSelectorTerm {
  return random.pick<() => NodeSelectorTerm>([
    () => ({ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }),
    () => ({ matchExpressions: [{ key: 'disk', operator: 'NotIn', values: ['ssd'] }] }),
    () => ({ matchExpressions: [{ key: ZONE, operator: 'In', values: ['a', 'b'] }] }),
    () => ({ matchExpressions: [{ key: 'cores', operator: random.pick(['Gt', 'Lt']), values: ['3'] }] }),
    () => ({ matchExpressions: [{ key: ZONE, operator: random.pick(['Exists', 'DoesNotExist']) }] }),
    () => ({
      matchFields: [{ key: 'metadata.name', operator: 'In', values: [random.pick(['n0', 'n1', 'n9'])] }],
    }),
    () => ({
      matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n1'] }],
      matchExpressions: [{ key: 'disk', operator: 'Exists' }],
    }),
  ])();
}

export function randomPodTerm(random: Random): PodAffinityTerm {
  return {
    topologyKey: random.pick([HOSTNAME, ZONE, ZONE]),
    ...(random.happens(0.95) && { labelSelector: randomSelector(random) }),
    ...random.pick<Partial<PodAffinityTerm>>([
      {},
      {},
      { namespaces: random.some(NAMESPACES, 0.7) },
      { namespaceSelector: {} },
      { namespaceSelector: { matchLabels: { team: 'x' } } },
      { namespaces: ['one'], namespaceSelector: { matchLabels: { team: 'y' } } },
    ]),
  };
}

export function randomAffinity(random: Random): Affinity {
  const terms = (share: number) => random.maybe(share, () => [randomPodTerm(random)]);
  const weighted = (share: number) =>
    random.maybe(share, () =>
      random.times(random.between(1, 2), () => ({
        weight: random.between(1, 100),
        podAffinityTerm: randomPodTerm(random),
      })),
    );
  return {
    ...(random.happens(0.4) && {
      nodeAffinity: {
        ...(random.happens(0.6) && {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: random.times(random.between(1, 2), () => randomNodeTerm(random)),
          },
        }),
        ...(random.happens(0.6) && {
          preferredDuringSchedulingIgnoredDuringExecution: random.times(random.between(1, 2), () => ({
            weight: random.between(1, 100),
            preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] },
          })),
        }),
      },
    }),
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: terms(0.25),
      preferredDuringSchedulingIgnoredDuringExecution: weighted(0.3),
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: terms(0.3),
      preferredDuringSchedulingIgnoredDuringExecution: weighted(0.3),
    },
  };
}

export function randomSpread(random: Random): TopologySpreadConstraint[] {
  const kinds = [HOSTNAME, ZONE].flatMap((topologyKey) =>
    ['DoNotSchedule', 'ScheduleAnyway'].map((whenUnsatisfiable) => ({ topologyKey, whenUnsatisfiable })),
  );
  return random.some(kinds, 0.4).map(({ topologyKey, whenUnsatisfiable }) => ({
    topologyKey,
    whenUnsatisfiable,
    maxSkew: random.between(1, 2),
    ...(random.happens(0.95) && {
      labelSelector: randomSelector(random),
      ...(random.happens(0.15) && { matchLabelKeys: ['color'] }),
    }),
    ...(whenUnsatisfiable === 'DoNotSchedule' && random.happens(0.2) && { minDomains: random.between(1, 4) }),
    ...(random.happens(0.3) && { nodeAffinityPolicy: random.pick(['Honor', 'Ignore']) }),
    ...(random.happens(0.3) && { nodeTaintsPolicy: random.pick(['Honor', 'Ignore']) }),
  }));
}
