import type {
  Device,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '../../model/generated/resource-v1beta1.ts';

/** What releases and feature gates change about the choice of devices. */
export interface AllocationRules {
  /** `DRAAdminAccess`: requests may use devices that others have. */
  readonly allowsAdminAccess: boolean;
  /** A request for all devices needs at least one. */
  readonly allIsAtLeastOne: boolean;
  /** A claim gets a device once, also with access for administrators. */
  readonly choosesOncePerClaim: boolean;
  /** All slices of a pool say whether it is complete and valid; one that is not has no devices to offer. */
  readonly usesWholePools: boolean;
  /** `DRADeviceTaints`: taints keep devices from claims that do not tolerate them. */
  readonly checksTaints: boolean;
  /** `DRAPartitionableDevices`: without it, devices that consume counters are not for anyone. */
  readonly sharesCounters: boolean;
}

/** ResourceSlices, ResourceClaims and the allocated devices, also those of allocations that are not yet written. */
export interface DeviceView {
  readonly rules: AllocationRules;
  claim(namespace: string, name: string): ResourceClaim | undefined;
  /** Whether the devices of a claim were chosen and are not yet written. */
  isPending(claimUid: string): boolean;
  /** Whether a claim has the device. */
  isTaken(device: DeviceId): boolean;
  deviceClass(name: string): DeviceClass | undefined;
  /** Slices that name a node. */
  slicesOfNode(node: string): readonly ResourceSlice[];
  /** All slices of a pool; called where {@link AllocationRules.usesWholePools}. */
  slicesOfPool(driver: string, pool: string): readonly ResourceSlice[];
  /** Slices of all nodes, or of nodes with some labels. */
  sharedSlices(): readonly ResourceSlice[];
  /** Evaluates a selector. @throws SelectorError */
  selects(expression: string, driver: string, device: Device): boolean;
}

/** A device of the cluster. */
export interface DeviceId {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
}

/** Names a device in maps and messages. */
export const deviceKey = ({ driver, pool, device }: DeviceId): string => `${driver}/${pool}/${device}`;

/** A selector does not compile, or fails for a device. */
export class SelectorError extends Error {
  override name = 'SelectorError';
}
