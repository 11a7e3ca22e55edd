import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
} from '../../../src/model/generated/core-v1.ts';
import { randomSituation } from './generate.ts';
import { ZONE } from './nodes.ts';
import { NAMESPACES } from './pod-parts.ts';
import { randomPod } from './pods.ts';
import { Random } from './random.ts';
import type { Situation } from './situation.ts';

const CLASSES = [
  { metadata: { name: 'wait' }, provisioner: 'csi.example.com', volumeBindingMode: 'WaitForFirstConsumer' },
  {
    metadata: { name: 'zonal' },
    provisioner: 'csi.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['a'] }] }],
  },
  {
    metadata: { name: 'manual' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  { metadata: { name: 'now' }, provisioner: 'csi.example.com', volumeBindingMode: 'Immediate' },
  {
    metadata: { name: 'counted' },
    provisioner: 'counted.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
];

/** Volumes, claims in all states, and pods that use them. */
export function volumeSituation(seed: number): Situation {
  const random = new Random(seed);
  const situation = randomSituation(seed);
  const nodes = situation.nodes.map((node): Node => ({ ...node, spec: {} }));
  const names = nodes.map(({ metadata }) => metadata!.name!);
  const volumes = random.times(8, (index) => randomVolume(random, index));
  const claims = NAMESPACES.flatMap((namespace) =>
    random.times(6, (index) => randomClaim(random, namespace, index, volumes)),
  );
  return {
    ...situation,
    nodes,
    pods: random.times(4, (index) => podWithClaim(random, `user${index}`, random.pick(names))),
    storageClasses: CLASSES,
    volumes,
    claims,
    csiNodes: random.some(names, 0.5).map((name) => ({
      metadata: { name },
      spec: {
        drivers: [{ name: 'csi.example.com', nodeID: name, allocatable: { count: random.between(1, 2) } }],
      },
    })),
    csiDrivers: [{ metadata: { name: 'counted.example.com' }, spec: { storageCapacity: true } }],
    capacities:
      random.maybe(0.7, () => [
        {
          metadata: { name: 'c', namespace: 'one' },
          storageClassName: 'counted',
          nodeTopology: { matchLabels: { [ZONE]: 'a' } },
          capacity: random.pick(['1Gi', '100Gi']),
        },
      ]) ?? [],
    probes: random.times(8, (index) => podWithClaim(random, `probe${index}`)),
  };
}

function podWithClaim(random: Random, name: string, nodeName?: string): Pod {
  const pod = randomPod(random, name, { wishes: 0.05, priority: 0 });
  const claims = random.times(
    random.pick([1, 1, 2]),
    () => `claim${random.happens(0.05) ? 'x' : random.between(0, 5)}`,
  );
  return {
    metadata: { ...pod.metadata, namespace: random.pick(NAMESPACES) },
    spec: {
      ...pod.spec,
      ...(nodeName && { nodeName }),
      volumes: [
        ...[...new Set(claims)].map((claimName, index) => ({
          name: `v${index}`,
          persistentVolumeClaim: { claimName },
        })),
        ...(random.happens(0.3)
          ? [{ name: 'disk', gcePersistentDisk: { pdName: 'shared', readOnly: random.happens(0.5) } }]
          : []),
      ],
    },
    status: nodeName === undefined ? {} : { phase: 'Running' },
  };
}

function randomVolume(random: Random, index: number): PersistentVolume {
  return {
    metadata: {
      name: `pv${index}`,
      labels: random.happens(0.3) ? { [ZONE]: random.pick(['a', 'b', 'a__b']) } : {},
    },
    spec: {
      capacity: { storage: random.pick(['1Gi', '5Gi', '20Gi']) },
      accessModes: random.pick([['ReadWriteOnce'], ['ReadWriteOnce', 'ReadOnlyMany'], ['ReadWriteOncePod']]),
      storageClassName: random.pick(CLASSES).metadata.name,
      csi: { driver: 'csi.example.com', volumeHandle: `handle${index}` },
      ...(random.happens(0.5) && {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: ZONE, operator: 'In', values: [random.pick(['a', 'b'])] }] },
            ],
          },
        },
      }),
    },
    status: { phase: 'Available' },
  };
}

/** A claim that waits, is bound to a volume that may not exist, or is lost. */
function randomClaim(
  random: Random,
  namespace: string,
  index: number,
  volumes: readonly PersistentVolume[],
): PersistentVolumeClaim {
  const volume = random.pick(volumes);
  const binding = random.pick([
    ...Array(9).fill('none'),
    ...Array(8).fill('bound'),
    'lost',
    'missing',
    'prebound',
  ]);
  const isBound = binding !== 'none' && binding !== 'prebound';
  return {
    metadata: {
      name: `claim${index}`,
      namespace,
      annotations: {
        ...(isBound && { 'pv.kubernetes.io/bind-completed': 'yes' }),
        ...(binding === 'none' && random.happens(0.15) && { 'volume.kubernetes.io/selected-node': 'n0' }),
      },
    },
    spec: {
      accessModes: [random.pick(['ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteOncePod'])],
      resources: { requests: { storage: random.pick(['1Gi', '4Gi', '10Gi']) } },
      storageClassName: random.pick([...CLASSES, ...CLASSES]).metadata.name,
      ...(binding !== 'none' && { volumeName: binding === 'missing' ? 'gone' : volume.metadata!.name! }),
    },
    status: { phase: binding === 'lost' ? 'Lost' : isBound ? 'Bound' : 'Pending' },
  };
}
