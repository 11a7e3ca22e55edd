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
  /** A name that two devices have: none of the pool can be used. */
  readonly duplicate: string | undefined;
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
  return [...pools].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, slices]) => poolOf(slices));
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

/** Pools by their first slice, for as long as that is current. */
const known = new WeakMap<
  ResourceSlice,
  { readonly slices: readonly ResourceSlice[]; readonly pool: DevicePool }
>();

function poolOf(slices: readonly ResourceSlice[]): DevicePool {
  const before = known.get(slices[0]!);
  if (
    before?.slices.length === slices.length &&
    before.slices.every((slice, index) => slice === slices[index])
  )
    return before.pool;
  const pool = poolFrom(slices);
  known.set(slices[0]!, { slices, pool });
  return pool;
}

const generationOf = ({ spec }: ResourceSlice): number => Number(spec?.pool?.generation ?? 0);

function poolFrom(slices: readonly ResourceSlice[]): DevicePool {
  const { driver = '', pool } = slices[0]!.spec ?? {};
  const devices = slices.flatMap((slice) =>
    (slice.spec?.devices ?? []).map((device) => ({ name: device.name ?? '', device, slice })),
  );
  const names = new Set<string>();
  const duplicate = devices.find(({ name }) => names.has(name) || !names.add(name));
  return {
    driver,
    name: pool?.name ?? '',
    devices,
    counters: slices.flatMap(({ spec }) => spec?.sharedCounters ?? []),
    partitions: devices.filter(({ device }) => deviceContent(device).consumesCounters !== undefined),
    isIncomplete: slices.length !== Number(pool?.resourceSliceCount ?? 0),
    duplicate: duplicate?.name,
  };
}
