import { describe, expect, it } from 'vitest';
import type {
  Device,
  DeviceClass,
  DeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceSlice,
  ResourceSliceSpec,
} from '../../../src/model/generated/resource-v1beta1.ts';
import { allocationResult } from '../../../src/scheduler/devices/allocation-result.ts';
import { allocateDevices } from '../../../src/scheduler/devices/allocator.ts';
import type { AllocationRules, DeviceView } from '../../../src/scheduler/devices/device-view.ts';

const NODE = { name: 'n1', labels: {} };
const POOL = { name: 'p', generation: 1, resourceSliceCount: 1 };

const slice = (devices: object[], spec: ResourceSliceSpec = {}): ResourceSlice => ({
  metadata: { name: 's' },
  spec: { driver: 'd', nodeName: 'n1', pool: POOL, devices: devices as Device[], ...spec },
});

const claimOf = (requests: object[], devices: object = {}): ResourceClaim => ({
  metadata: { namespace: 'default', name: 'c' },
  spec: { devices: { requests: requests as DeviceRequest[], ...devices } } as ResourceClaimSpec,
});

/** A request of a class, whose devices begin with its name. */
const exactly = (deviceClassName: string, count = 1, more: object = {}) => ({
  deviceClassName,
  allocationMode: 'ExactCount',
  count,
  ...more,
});

const RULES = {
  allowsAdminAccess: true,
  allIsAtLeastOne: true,
  choosesOncePerClaim: true,
  usesWholePools: true,
  checksTaints: true,
  sharesCounters: true,
};

const view = (
  slices: ResourceSlice[],
  taken: readonly string[] = [],
  rules: Partial<AllocationRules> = {},
): DeviceView => ({
  rules: { ...RULES, ...rules },
  claim: () => undefined,
  isPending: () => false,
  isTaken: ({ device }) => taken.includes(device),
  deviceClass: (name): DeviceClass => ({
    metadata: { name },
    spec: {
      selectors: [{ cel: { expression: name } }],
      config: [{ opaque: { driver: 'd', parameters: undefined } }],
    } as NonNullable<DeviceClass['spec']>,
  }),
  slicesOfNode: (node) => slices.filter(({ spec }) => spec?.nodeName === node),
  slicesOfPool: (driver, pool) =>
    slices.filter(({ spec }) => spec?.driver === driver && spec?.pool?.name === pool),
  sharedSlices: () => slices.filter(({ spec }) => spec?.nodeName === undefined),
  selects: (expression, _driver, device) => device.name?.startsWith(expression) === true,
});

/** Request and device of each result; undefined if there are not enough devices. */
const results = (claim: ResourceClaim, devices: DeviceView): string[] | undefined => {
  const allocations = allocateDevices([claim], NODE, devices);
  return (
    allocations &&
    allocationResult(allocations[0]!).devices!.results!.map(({ request, device }) => `${request}: ${device}`)
  );
};

describe('a request with alternatives', () => {
  const gpus = view([slice([{ name: 'small1' }, { name: 'small2' }, { name: 'large1' }])]);
  const request = {
    name: 'gpu',
    firstAvailable: [
      { name: 'big', ...exactly('large', 2) },
      { name: 'two', ...exactly('small', 2) },
    ],
  };

  it('takes the first that can be satisfied', () => {
    expect(results(claimOf([request]), gpus)).toEqual(['gpu/two: small1', 'gpu/two: small2']);
    const more = view([slice([{ name: 'large1' }, { name: 'large2' }])]);
    expect(results(claimOf([request]), more)).toEqual(['gpu/big: large1', 'gpu/big: large2']);
    expect(results(claimOf([request]), view([slice([{ name: 'small1' }])]))).toBeUndefined();
  });

  it('takes a later one if other requests need the devices', () => {
    const either = {
      name: 'any',
      firstAvailable: [
        { name: 'l', ...exactly('large') },
        { name: 's', ...exactly('small') },
      ],
    };
    const large = { name: 'large', exactly: exactly('large') };
    expect(results(claimOf([either, large]), gpus)).toEqual(['any/s: small1', 'large: large1']);
  });

  it('has the configuration of what was chosen', () => {
    const config = [
      { requests: ['gpu/big'], opaque: { driver: 'd' } },
      { requests: ['gpu/two'], opaque: { driver: 'd' } },
      { requests: ['gpu'], opaque: { driver: 'd' } },
      { opaque: { driver: 'd' } },
    ];
    const [allocation] = allocateDevices([claimOf([request], { config })], NODE, gpus)!;
    expect(
      allocationResult(allocation!).devices!.config!.map(({ source, requests }) => [source, requests]),
    ).toEqual([
      ['FromClass', ['gpu/two']],
      ['FromClaim', ['gpu/two']],
      ['FromClaim', ['gpu']],
      ['FromClaim', undefined],
    ]);
  });

  it('is meant by constraints with its name or that of the alternative', () => {
    const device = (name: string, bus: string) => ({ name, attributes: { bus: { string: bus } } });
    const devices = view([slice([device('small1', 'x'), device('small2', 'y'), device('small3', 'y')])]);
    for (const requests of [['gpu'], ['gpu/two']]) {
      const constraints = [{ matchAttribute: 'd/bus', requests }];
      expect(results(claimOf([request], { constraints }), devices)).toEqual([
        'gpu/two: small2',
        'gpu/two: small3',
      ]);
    }
    const others = [{ matchAttribute: 'd/bus', requests: ['gpu/big'] }];
    expect(results(claimOf([request], { constraints: others }), devices)).toEqual([
      'gpu/two: small1',
      'gpu/two: small2',
    ]);
  });
});

describe('taints', () => {
  const taint = (effect: string) => ({ key: 'broken', value: 'yes', effect });
  const tainted = (effect: string) => view([slice([{ name: 'a', taints: [taint(effect)] }])]);

  it('keep devices from requests that do not tolerate them', () => {
    const tolerating = (toleration: object) =>
      claimOf([{ name: 'r', exactly: exactly('a', 1, { tolerations: [toleration] }) }]);
    for (const effect of ['NoSchedule', 'NoExecute']) {
      expect(results(claimOf([{ name: 'r', exactly: exactly('a') }]), tainted(effect))).toBeUndefined();
      for (const toleration of [
        { operator: 'Exists' },
        { key: 'broken', operator: 'Equal', value: 'yes' },
        { key: 'broken', operator: 'Exists', effect },
      ])
        expect(results(tolerating(toleration), tainted(effect))).toEqual(['r: a']);
      for (const toleration of [
        { key: 'other', operator: 'Exists' },
        { key: 'broken', operator: 'Equal', value: 'no' },
        { operator: 'Exists', effect: effect === 'NoSchedule' ? 'NoExecute' : 'NoSchedule' },
        { key: 'broken', operator: 'Unknown' },
      ])
        expect(results(tolerating(toleration), tainted(effect))).toBeUndefined();
    }
  });

  it('are ignored without their feature gate', () => {
    const devices = view([slice([{ name: 'a', taints: [taint('NoSchedule')] }])], [], {
      checksTaints: false,
    });
    expect(results(claimOf([{ name: 'r', exactly: exactly('a') }]), devices)).toEqual(['r: a']);
  });

  it('of other effects are information', () => {
    expect(results(claimOf([{ name: 'r', exactly: exactly('a') }]), tainted('None'))).toEqual(['r: a']);
  });

  it('that are tolerated are in the result with the tolerations', () => {
    const tolerations = [{ key: 'broken', operator: 'Exists' }];
    const claim = claimOf([{ name: 'r', exactly: exactly('a', 1, { tolerations }) }]);
    const [allocation] = allocateDevices([claim], NODE, tainted('NoSchedule'))!;
    expect(allocationResult(allocation!).devices!.results![0]).toMatchObject({ device: 'a', tolerations });
  });
});

describe('counters that devices share', () => {
  const consuming = (name: string, memory: string) => ({
    name,
    consumesCounters: [{ counterSet: 'gpu', counters: { memory: { value: memory } } }],
  });
  const shared = (taken: string[] = []) =>
    view(
      [
        slice([consuming('whole', '40Gi'), consuming('part1', '20Gi'), consuming('part2', '20480Mi')], {
          sharedCounters: [{ name: 'gpu', counters: { memory: { value: '40Gi' } } }],
        }),
      ],
      taken,
    );
  const want = (...classes: string[]) =>
    claimOf(classes.map((name, index) => ({ name: `r${index}`, exactly: exactly(name) })));

  it('bound which of them can be used together', () => {
    expect(results(want('part', 'part'), shared())).toEqual(['r0: part1', 'r1: part2']);
    expect(results(want('whole'), shared())).toEqual(['r0: whole']);
    expect(results(want('whole', 'part'), shared())).toBeUndefined();
  });

  it('keep their devices from everyone without their feature gate', () => {
    const devices = view([slice([consuming('a', '1'), { name: 'a2' }])], [], {
      sharesCounters: false,
      usesWholePools: false,
    });
    expect(results(want('a'), devices)).toEqual(['r0: a2']);
  });

  it('are used by the devices of other claims', () => {
    expect(results(want('part'), shared(['part1']))).toEqual(['r0: part2']);
    expect(results(want('whole'), shared(['part1']))).toBeUndefined();
    expect(results(want('part'), shared(['whole']))).toBeUndefined();
  });
});

it('devices of a slice may name their nodes one by one', () => {
  const devices = view([
    slice(
      [
        { name: 'a1', nodeName: 'n2' },
        { name: 'a2', nodeName: 'n1' },
        { name: 'a3', allNodes: true },
      ],
      {
        nodeName: undefined as never,
        perDeviceNodeSelection: true,
      },
    ),
  ]);
  const claim = claimOf([{ name: 'r', exactly: exactly('a') }]);
  const [allocation] = allocateDevices([claim], NODE, devices)!;
  const { devices: chosen, nodeSelector } = allocationResult(allocation!);
  expect(chosen!.results!.map(({ device }) => device)).toEqual(['a2']);
  expect(nodeSelector!.nodeSelectorTerms![0]!.matchFields![0]!.values).toEqual(['n1']);
});

it('a request for all devices needs at least one, since 1.33', () => {
  const all = claimOf([{ name: 'r', exactly: { deviceClassName: 'a', allocationMode: 'All' } }]);
  expect(results(all, view([slice([{ name: 'b' }])]))).toBeUndefined();
  expect(results(all, view([slice([{ name: 'b' }])], [], { allIsAtLeastOne: false }))).toEqual([]);
  expect(results(all, view([slice([{ name: 'a1' }, { name: 'a2' }])]))).toEqual(['r: a1', 'r: a2']);
});

it('access for administrators gets a device that others have, since 1.34 once per claim', () => {
  const admin = claimOf([{ name: 'r', exactly: exactly('a', 2, { adminAccess: true }) }]);
  const devices = [slice([{ name: 'a1' }, { name: 'a2' }])];
  expect(results(admin, view(devices, ['a1']))).toEqual(['r: a1', 'r: a2']);
  expect(results(admin, view([slice([{ name: 'a1' }])]))).toBeUndefined();
  expect(results(admin, view(devices, [], { choosesOncePerClaim: false }))).toEqual(['r: a1', 'r: a1']);
});

describe('a pool of several slices, since 1.35', () => {
  const part = (name: string, memory = '20Gi') => ({
    name,
    consumesCounters: [{ counterSet: 'gpu', counters: { memory: { value: memory } } }],
  });
  const spec = (more: ResourceSliceSpec = {}) => ({ pool: { ...POOL, resourceSliceCount: 3 }, ...more });
  const counters = { sharedCounters: [{ name: 'gpu', counters: { memory: { value: '40Gi' } } }] };
  const pool = [
    slice([], spec({ ...counters, nodeName: undefined as never, perDeviceNodeSelection: true })),
    slice([part('here1'), part('here2')], spec()),
    slice([part('there')], spec({ nodeName: 'n2' })),
  ];
  const want = (count: number) => claimOf([{ name: 'r', exactly: exactly('here', count) }]);

  it('has the counters of slices without devices, which devices of other nodes consume, too', () => {
    expect(results(want(2), view(pool))).toEqual(['r: here1', 'r: here2']);
    expect(results(want(2), view(pool, ['there']))).toBeUndefined();
    expect(results(want(1), view(pool, ['there']))).toEqual(['r: here1']);
  });

  it('offers nothing until all slices are there, if it is invalid, or outdated on the node', () => {
    expect(results(want(1), view(pool.slice(0, 2)))).toBeUndefined();
    expect(results(want(1), view(pool.slice(0, 2), [], { usesWholePools: false }))).toEqual(['r: here1']);
    const undeclared = slice([part('here1')], spec({ pool: { ...POOL, resourceSliceCount: 1 } }));
    expect(results(want(1), view([undeclared]))).toBeUndefined();
    const newer = slice([], spec({ nodeName: 'n2', pool: { ...POOL, generation: 2 } }));
    expect(results(want(1), view([...pool, newer]))).toBeUndefined();
  });
});
