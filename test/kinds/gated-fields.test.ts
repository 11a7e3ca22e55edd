import { describe, expect, it } from 'vitest';
import { deploymentStrategy } from '../../src/kinds/apps/deployment.ts';
import { createStatefulSetStrategy } from '../../src/kinds/apps/stateful-set.ts';
import { createHorizontalPodAutoscalerStrategy } from '../../src/kinds/autoscaling/horizontal-pod-autoscaler.ts';
import { leaseStrategy } from '../../src/kinds/coordination/lease.ts';
import { persistentVolumeStrategy } from '../../src/kinds/core/volumes/persistent-volume.ts';
import { persistentVolumeClaimStrategy } from '../../src/kinds/core/volumes/persistent-volume-claim.ts';
import type { Strategy } from '../../src/kinds/strategy.ts';
import { DEPENDENCIES, podStrategy } from '../support/builtin-resources.ts';
import { contextOf, created, errorsOf, updated } from './run-strategy.ts';

const withGates = (...gates: string[]) => contextOf({ isOn: (gate) => gates.includes(gate) });
const container = { name: 'c', image: 'i' };
const pod = (spec: object) => ({ spec: { containers: [container], ...spec } });
const template = (spec: object) => ({ metadata: { labels: { a: 'b' } }, ...pod(spec) });
const selector = { matchLabels: { a: 'b' } };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volumeImage = {
  volumes: [{ name: 'v', image: { reference: 'r' } }],
  containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
};

const CASES: readonly [gate: string, strategy: Strategy, object: object, path: string][] = [
  ['UserNamespacesSupport', podStrategy, pod({ hostUsers: false }), 'spec.hostUsers'],
  [
    'DynamicResourceAllocation',
    podStrategy,
    pod({ resourceClaims: [{ name: 'r', resourceClaimName: 'x' }] }),
    'spec.resourceClaims',
  ],
  [
    'SupplementalGroupsPolicy',
    podStrategy,
    pod({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
    'spec.securityContext.supplementalGroupsPolicy',
  ],
  [
    'SELinuxChangePolicy',
    podStrategy,
    pod({ securityContext: { seLinuxChangePolicy: 'Recursive' } }),
    'spec.securityContext.seLinuxChangePolicy',
  ],
  [
    'InPlacePodVerticalScaling',
    podStrategy,
    pod({
      containers: [{ ...container, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] }],
    }),
    'spec.containers.0.resizePolicy',
  ],
  ['ImageVolume', podStrategy, pod(volumeImage), 'spec.volumes.0'],
  [
    'UserNamespacesSupport',
    deploymentStrategy,
    { spec: { selector, template: template({ hostUsers: false }) } },
    'spec.template.spec.hostUsers',
  ],
  [
    'MaxUnavailableStatefulSet',
    createStatefulSetStrategy(DEPENDENCIES),
    {
      spec: {
        selector,
        serviceName: 's',
        template: template({}),
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
      },
    },
    'spec.updateStrategy.rollingUpdate.maxUnavailable',
  ],
  [
    'CoordinatedLeaderElection',
    leaseStrategy,
    { spec: { strategy: 'OldestEmulationVersion' } },
    'spec.strategy',
  ],
  [
    'VolumeAttributesClass',
    persistentVolumeClaimStrategy,
    { spec: { ...claim, volumeAttributesClassName: 'x' } },
    'spec.volumeAttributesClassName',
  ],
  [
    'VolumeAttributesClass',
    persistentVolumeStrategy,
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        volumeAttributesClassName: 'x',
        csi: { driver: 'd', volumeHandle: 'h' },
      },
    },
    'spec.volumeAttributesClassName',
  ],
];

const at = (object: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], object);

it('drops a data source in another namespace from new claims and validates it in updates', () => {
  const claimOf = (more: object) => ({
    spec: { ...claim, dataSourceRef: { apiGroup: 'a.test', kind: 'K', name: 'x', ...more } },
  });
  const other = created(persistentVolumeClaimStrategy, claimOf({ namespace: 'other' }));
  expect(at(other.object, 'spec.dataSourceRef')).toBeUndefined();
  const { object } = created(persistentVolumeClaimStrategy, claimOf({}));
  const changed = updated(persistentVolumeClaimStrategy, claimOf({ namespace: 'a_b' }), object);
  expect(changed.errors.filter((text) => text.startsWith('spec.dataSourceRef.namespace'))).toHaveLength(2);
});

describe('fields of disabled feature gates', () => {
  it.each(CASES)('drops the fields of %s', (gate, strategy, object, path) => {
    const off = created(strategy, object);
    expect(at(off.object, path)).toBeUndefined();
    const on = created(strategy, object, withGates(gate));
    expect(at(on.object, path)).toBeDefined();
    expect(on.errors).toEqual([]);
    // A field that was stored while the gate was on remains when it is off.
    expect(at(updated(strategy, object, on.object).object, path)).toEqual(at(on.object, path));
    // An update cannot add it.
    expect(at(updated(strategy, object, off.object).object, path)).toBeUndefined();
  });

  it('keeps allocated resources in a status only with both gates of resizing', () => {
    const containerStatuses = [{ name: 'c', allocatedResources: { cpu: '1' }, resources: {} }];
    const membersWith = (...gates: string[]) => {
      const old = { ...created(podStrategy, pod({})).object, status: { containerStatuses } };
      const { object } = updated(podStrategy, pod({}), old, withGates(...gates));
      return Object.keys(at(object, 'status.containerStatuses.0') as object);
    };
    const [resizing, allocation] = ['InPlacePodVerticalScaling', 'InPlacePodVerticalScalingAllocatedStatus'];
    expect(membersWith()).toEqual(['name']);
    expect(membersWith(resizing!)).toEqual(['name', 'resources']);
    expect(membersWith(allocation!)).toEqual(['name']);
    expect(membersWith(resizing!, allocation!)).toEqual(['name', 'allocatedResources', 'resources']);
  });

  it('drops mounts with their volumes', () => {
    const { object } = created(podStrategy, pod(volumeImage));
    expect(at(object, 'spec.volumes')).toEqual([]);
    expect(at(object, 'spec.containers.0.volumeMounts')).toEqual([]);
  });

  it('allows scaling to zero while HPAScaleToZero is on', () => {
    const metrics = [
      { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } },
    ];
    const object = {
      spec: { minReplicas: 0, maxReplicas: 2, scaleTargetRef: { kind: 'D', name: 'd' }, metrics },
    };
    expect(
      errorsOf(createHorizontalPodAutoscalerStrategy(DEPENDENCIES), object, contextOf({ version: 'v2' })),
    ).toEqual(['spec.minReplicas: Invalid value: 0: must be greater than or equal to 1']);
    expect(
      errorsOf(
        createHorizontalPodAutoscalerStrategy(DEPENDENCIES),
        object,
        contextOf({ version: 'v2', isOn: () => true }),
      ),
    ).toEqual([]);
  });
});
