import type { Node, Taint } from '../../../src/model/generated/core-v1.ts';
import type { Random } from './random.ts';

export const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
export const HOSTNAME = 'kubernetes.io/hostname';
export const IMAGES = ['registry.example/app:1', 'registry.example/db:2', 'busybox'];

const TAINTS: readonly Taint[] = [
  { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
  { key: 'dedicated', value: 'db', effect: 'NoExecute' },
  { key: 'slow', effect: 'PreferNoSchedule' },
  { key: 'old', value: 'yes', effect: 'PreferNoSchedule' },
];

/** A node of a random size with random labels and taints. */
export function randomNode(random: Random, index: number): Node {
  const name = `n${index}`;
  return {
    metadata: {
      name,
      labels: {
        ...(random.happens(0.95) && { [HOSTNAME]: name }),
        ...(random.happens(0.8) && { [ZONE]: random.pick(['a', 'b', 'c']) }),
        ...(random.happens(0.3) && { [REGION]: random.pick(['r1', 'r2']) }),
        ...(random.happens(0.5) && { disk: random.pick(['ssd', 'hdd']) }),
        ...(random.happens(0.3) && { cores: String(random.pick([2, 4, 16])) }),
      },
    },
    spec: {
      ...(random.happens(0.1) && { unschedulable: true }),
      ...(random.happens(0.3) && { taints: random.some(TAINTS, 0.4) }),
    },
    status: {
      ...resources(random),
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      images: random.some(IMAGES, 0.4).map((image) => ({
        names: [image.includes(':') ? image : `${image}:latest`],
        sizeBytes: image.length * 20_000_000,
      })),
    },
  };
}

function resources(random: Random): Pick<NonNullable<Node['status']>, 'capacity' | 'allocatable'> {
  const allocatable = {
    cpu: random.pick(['1', '2', '4', '7500m']),
    memory: random.pick(['2Gi', '4Gi', '8G']),
    pods: random.pick(['3', '10', '110']),
    ...(random.happens(0.6) && { 'ephemeral-storage': random.pick(['10Gi', '100Gi']) }),
    ...(random.happens(0.3) && { 'example.com/gpu': random.pick(['1', '4']) }),
    ...(random.happens(0.2) && { 'hugepages-2Mi': '64Mi' }),
  };
  return { capacity: allocatable, allocatable };
}
