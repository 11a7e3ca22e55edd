import type { Pod } from '../../../src/model/generated/core-v1.ts';
import type {
  Device,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '../../../src/model/generated/resource-v1beta1.ts';
import { randomSituation } from './generate.ts';
import { NAMESPACES } from './pod-parts.ts';
import { randomPod } from './pods.ts';
import { Random } from './random.ts';
import type { Situation } from './situation.ts';

const DRIVER = 'gpu.example.com';
const SELECTORS = [
  `device.attributes["${DRIVER}"].model == "large"`,
  `device.capacity["${DRIVER}"].memory.compareTo(quantity("10Gi")) >= 0`,
  `device.driver == "${DRIVER}" && !("broken" in device.attributes["other.example.com"])`,
  `device.attributes["${DRIVER}"].cores > 4`,
];

/** Devices on nodes and in the cluster, claims to them, and pods that use these. */
export function deviceSituation(seed: number): Situation {
  const random = new Random(seed);
  const situation = randomSituation(seed);
  const nodes = situation.nodes.map((node) => ({ ...node, spec: {} }));
  const slices = nodes.flatMap(({ metadata }) =>
    random.happens(0.8) ? [nodeSlice(random, metadata!.name!)] : [],
  );
  const claims = NAMESPACES.flatMap((namespace) =>
    random.times(4, (index) => randomClaim(random, namespace, index, slices)),
  );
  return {
    ...situation,
    nodes,
    pods: situation.pods.slice(0, 2),
    budgets: [],
    devices: {
      classes: [
        deviceClass('any', []),
        deviceClass('large', [SELECTORS[0]!]),
        deviceClass('roomy', [SELECTORS[1]!]),
      ],
      slices: [...slices, ...(random.happens(0.5) ? [sharedSlice(random)] : [])],
      claims,
    },
    probes: random.times(8, (index) => podWithClaims(random, `probe${index}`)),
  };
}

const deviceClass = (name: string, selectors: readonly string[]): DeviceClass => ({
  metadata: { name },
  spec: { selectors: selectors.map((expression) => ({ cel: { expression } })) },
});

const randomDevice = (random: Random, index: number): Device => ({
  name: `d${index}`,
  basic: {
    attributes: {
      model: { string: random.pick(['large', 'small']) },
      ...(random.happens(0.9) && { cores: { int: random.pick([2, 8]) } }),
      ...(random.happens(0.8) && { 'bus.example.com/root': { string: random.pick(['x', 'y']) } }),
    },
    capacity: { memory: { value: random.pick(['8Gi', '16Gi']) } },
  },
});

const nodeSlice = (random: Random, node: string): ResourceSlice => ({
  metadata: { name: `slice-${node}` },
  spec: {
    driver: DRIVER,
    nodeName: node,
    pool: { name: node, generation: 1, resourceSliceCount: random.happens(0.9) ? 1 : 2 },
    devices: random.times(random.between(1, 3), (index) => randomDevice(random, index)),
  },
});

const sharedSlice = (random: Random): ResourceSlice => ({
  metadata: { name: 'shared' },
  spec: {
    driver: DRIVER,
    ...(random.happens(0.5)
      ? { allNodes: true }
      : {
          nodeSelector: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
          },
        }),
    pool: { name: 'shared', generation: 2, resourceSliceCount: 1 },
    devices: random.times(2, (index) => randomDevice(random, index)),
  },
});

function randomClaim(
  random: Random,
  namespace: string,
  index: number,
  slices: readonly ResourceSlice[],
): ResourceClaim {
  const requests = random.times(random.pick([1, 1, 2]), (number) => ({
    name: `r${number}`,
    deviceClassName: random.pick(['any', 'any', 'large', 'roomy', 'gone']),
    ...(random.happens(0.2)
      ? { allocationMode: 'All' }
      : { allocationMode: 'ExactCount', count: random.between(1, 2) }),
    ...(random.happens(0.3) && { selectors: [{ cel: { expression: random.pick(SELECTORS) } }] }),
  }));
  const slice = random.happens(0.3) ? slices[random.between(0, slices.length - 1)] : undefined;
  return {
    metadata: { name: `claim${index}`, namespace },
    spec: {
      devices: {
        requests,
        ...(random.happens(0.3) && { constraints: [{ matchAttribute: 'bus.example.com/root' }] }),
      },
    },
    status: slice === undefined ? {} : allocated(slice),
  };
}

const allocated = ({ spec }: ResourceSlice): ResourceClaim['status'] => ({
  allocation: {
    devices: {
      results: [{ request: 'r0', driver: DRIVER, pool: spec!.pool!.name!, device: 'd0' }],
    },
    nodeSelector: {
      nodeSelectorTerms: [
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: [spec!.nodeName!] }] },
      ],
    },
  },
});

function podWithClaims(random: Random, name: string): Pod {
  const pod = randomPod(random, name, { wishes: 0.1, priority: 0 });
  const names = new Set(random.times(random.pick([0, 1, 1, 2]), () => `claim${random.between(0, 3)}`));
  return {
    ...pod,
    spec: {
      ...pod.spec,
      resourceClaims: [...names].map((resourceClaimName) => ({ name: resourceClaimName, resourceClaimName })),
      ...(random.happens(0.1) && {
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'gone' } }],
      }),
    },
  };
}
