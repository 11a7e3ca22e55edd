import type {
  BasicDevice,
  CounterSet,
  Device,
  ResourceSlice,
} from '../../model/generated/resource-v1beta1.ts';
import { deviceContent } from '../../reconcile/devices.ts';
import { nodeSelectorMatcher, type SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import type { DeviceView } from './device-view.ts';

/** A device and the slice that publishes it. */
export interface PooledDevice {
  readonly name: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
}

/** The devices of one driver that are managed together, in their latest generation. */
export interface DevicePool {
  readonly driver: string;
  readonly name: string;
  readonly devices: readonly PooledDevice[];
  /** Counters that devices share. */
  readonly counters: readonly CounterSet[];
  /** The devices that consume of the counters. */
  readonly partitions: readonly PooledDevice[];
  /** Not all slices of the generation are there. */
  readonly isIncomplete: boolean;
  /** Why none of the pool can be used: two devices of one name, for example. */
  readonly problem: string | undefined;
}

/** The pools with devices that can be used on a node, sorted by driver and name. */
export function poolsOf(node: SelectableNode, view: DeviceView): DevicePool[] {
  const shared = view.sharedSlices().filter(({ spec }) => {
    if (spec?.perDeviceNodeSelection === true)
      return (spec.devices ?? []).some((device) => isUsableOn(node, deviceContent(device)));
    return isUsableOn(node, spec);
  });
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of [...view.slicesOfNode(node.name), ...shared]) addSlice(pools, slice);
  return [...pools]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, slices]) => (view.rules.usesWholePools ? wholePoolOf(slices, view) : [poolOf(slices)]));
}

/** Whether something that names its nodes, a slice or a device, can be used on a node. */
function isUsableOn(
  node: SelectableNode,
  place: Pick<BasicDevice, 'nodeName' | 'nodeSelector' | 'allNodes'> = {},
): boolean {
  const { nodeName = '', nodeSelector, allNodes } = place;
  if (nodeName !== '') return nodeName === node.name;
  return allNodes === true || (nodeSelector !== undefined && nodeSelectorMatcher(nodeSelector)(node));
}

/** Whether a device of a pool of the node can be used there: its slice may leave the choice to each device. */
export const isDeviceUsableOn = (node: SelectableNode, { device, slice }: PooledDevice): boolean =>
  slice.spec?.perDeviceNodeSelection !== true || isUsableOn(node, deviceContent(device));

/** Slices of an older generation do not count. */
function addSlice(pools: Map<string, ResourceSlice[]>, slice: ResourceSlice): void {
  const key = JSON.stringify([slice.spec?.driver, slice.spec?.pool?.name]);
  const present = pools.get(key);
  const newer = present === undefined ? 1 : generationOf(slice) - generationOf(present[0]!);
  if (newer > 0) pools.set(key, [slice]);
  else if (newer === 0) present!.push(slice);
}

/**
 * A pool of which a node can use some slices: all of its slices say whether it is complete and valid, and what its
 * counters are. None if those of the node are of an older generation.
 */
function wholePoolOf(usable: readonly ResourceSlice[], view: DeviceView): DevicePool[] {
  const [first] = usable;
  const { driver = '', pool } = first!.spec ?? {};
  const generation = generationOf(first!);
  const all = view
    .slicesOfPool(driver, pool?.name ?? '')
    .filter((slice) => generationOf(slice) >= generation);
  return all.some((slice) => generationOf(slice) > generation) ? [] : [poolOf(usable, all)];
}

/** Pools by their first slice, for as long as that is current. */
const known = new WeakMap<
  ResourceSlice,
  {
    readonly slices: readonly ResourceSlice[];
    readonly all: readonly ResourceSlice[];
    readonly pool: DevicePool;
  }
>();

const isSame = (left: readonly ResourceSlice[], right: readonly ResourceSlice[]): boolean =>
  left.length === right.length && left.every((slice, index) => slice === right[index]);

function poolOf(slices: readonly ResourceSlice[], all?: readonly ResourceSlice[]): DevicePool {
  const before = known.get(slices[0]!);
  if (before !== undefined && isSame(before.slices, slices) && isSame(before.all, all ?? slices))
    return before.pool;
  const pool = poolFrom(slices, all);
  known.set(slices[0]!, { slices, all: all ?? slices, pool });
  return pool;
}

const generationOf = ({ spec }: ResourceSlice): number => Number(spec?.pool?.generation ?? 0);

const devicesOf = (slices: readonly ResourceSlice[]): PooledDevice[] =>
  slices.flatMap((slice) =>
    (slice.spec?.devices ?? []).map((device) => ({ name: device.name ?? '', device, slice })),
  );

/** @param all the slices of the whole pool, where these count; default: those that the node can use */
function poolFrom(usable: readonly ResourceSlice[], all?: readonly ResourceSlice[]): DevicePool {
  const slices = all ?? usable;
  const { driver = '', pool } = usable[0]!.spec ?? {};
  const counted = devicesOf(slices);
  const counters = slices.flatMap(({ spec }) => spec?.sharedCounters ?? []);
  const partitions = counted.filter(({ device }) => deviceContent(device).consumesCounters !== undefined);
  return {
    driver,
    name: pool?.name ?? '',
    devices: devicesOf(usable),
    counters,
    partitions,
    isIncomplete: slices.length !== Number(pool?.resourceSliceCount ?? 0),
    problem: duplicateOf(counted) ?? (all && undeclaredCounters(partitions, counters)),
  };
}

function duplicateOf(devices: readonly PooledDevice[]): string | undefined {
  const names = new Set<string>();
  const duplicate = devices.find(({ name }) => names.has(name) || !names.add(name));
  return duplicate && `duplicate device name ${duplicate.name}`;
}

function undeclaredCounters(
  partitions: readonly PooledDevice[],
  counters: readonly CounterSet[],
): string | undefined {
  const declared = new Set(counters.map(({ name }) => name));
  for (const { name, device } of partitions)
    for (const { counterSet } of deviceContent(device).consumesCounters ?? [])
      if (!declared.has(counterSet)) return `device ${name} consumes counters of no set: ${counterSet}`;
  return undefined;
}
