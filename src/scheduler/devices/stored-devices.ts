import type {
  Device,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '../../model/generated/resource-v1beta1.ts';
import type { IndexedSource, ObjectIndex } from '../../reader/object-source.ts';
import type { NamedContext } from '../../reconcile/controller.ts';
import type { DeviceResources } from '../../reconcile/devices.ts';
import { SourceGroup } from '../executor/source-group.ts';
import type { ClusterEvent } from '../queue/cluster-event.ts';
import type { ClaimAllocation } from './allocator.ts';
import type { DeviceSelectors } from './device-selectors.ts';
import { type AllocationRules, type DeviceId, type DeviceView, deviceKey } from './device-view.ts';

/** Dynamic resource allocation of a cluster. */
export interface DeviceSettings {
  readonly rules: AllocationRules;
  readonly resources: DeviceResources;
}

/** Slices by the node that they name; those that name none are under the empty name. */
const BY_NODE: ObjectIndex = (object) => [(object.peek() as ResourceSlice).spec?.nodeName ?? ''];

const poolKey = (driver: string, pool: string): string => JSON.stringify([driver, pool]);

/** Slices by their pool. */
const BY_POOL: ObjectIndex = (object) => {
  const { driver = '', pool } = (object.peek() as ResourceSlice).spec ?? {};
  return [poolKey(driver, pool?.name ?? '')];
};

/** The devices and claims of this server, and what was decided about them and is not yet written. */
export class StoredDevices implements DeviceView {
  readonly rules: AllocationRules;
  readonly resources: DeviceResources;
  readonly claims: IndexedSource;
  readonly #classes: IndexedSource;
  readonly #slices: IndexedSource;
  readonly group: SourceGroup;
  /** How many claims have a device. */
  readonly #taken = new Map<string, number>();
  /** The devices of claims whose allocation is being written, by uid of the claim. */
  readonly #pending = new Map<string, readonly string[]>();
  #selectors: DeviceSelectors | undefined;

  /** @param happened called with each change */
  constructor(
    { objects }: Pick<NamedContext, 'objects'>,
    { rules, resources }: DeviceSettings,
    happened: (event: ClusterEvent) => void,
  ) {
    this.rules = rules;
    this.resources = resources;
    const followed = (resource: Parameters<NamedContext['objects']>[0], kind: ClusterEvent['kind']) => {
      const source = objects(resource);
      source.onChange((_key, current, previous) => {
        const [before, after] = [previous?.object, current?.object];
        if (kind === 'resourceClaim') this.#follow(before, after);
        if (this.group.isOpen) happened({ kind, before, after } as ClusterEvent);
      });
      return source;
    };
    this.claims = followed(resources.claims, 'resourceClaim');
    this.#classes = followed(resources.classes, 'deviceClass');
    this.#slices = followed(resources.slices, 'resourceSlice');
    this.group = new SourceGroup(this.claims, this.#classes, this.#slices);
  }

  /** Opens the sources, and loads the engine for selectors. */
  async open(): Promise<void> {
    if (this.#selectors === undefined) {
      const { DeviceSelectors } = await import('./device-selectors.ts');
      this.#selectors ??= new DeviceSelectors();
    }
    await this.group.open();
  }

  get isOpen(): boolean {
    return this.group.isOpen && this.#selectors !== undefined;
  }

  claim(namespace: string, name: string): ResourceClaim | undefined {
    return this.claims.get(`${namespace}/${name}`) as ResourceClaim | undefined;
  }

  isPending(claimUid: string): boolean {
    return this.#pending.has(claimUid);
  }

  isTaken(device: DeviceId): boolean {
    return this.#taken.has(deviceKey(device));
  }

  deviceClass(name: string): DeviceClass | undefined {
    return this.#classes.get(name) as DeviceClass | undefined;
  }

  slicesOfNode(node: string): readonly ResourceSlice[] {
    return Array.from(this.#slices.find(BY_NODE, node), ([, { object }]) => object as ResourceSlice);
  }

  slicesOfPool(driver: string, pool: string): readonly ResourceSlice[] {
    return Array.from(
      this.#slices.find(BY_POOL, poolKey(driver, pool)),
      ([, { object }]) => object as ResourceSlice,
    );
  }

  sharedSlices(): readonly ResourceSlice[] {
    return this.slicesOfNode('');
  }

  selects(expression: string, driver: string, device: Device): boolean {
    return this.#selectors!.selects(expression, driver, device);
  }

  /** The devices of an allocation are taken from now on. */
  assume({ claim, devices }: ClaimAllocation): void {
    const keys = devices
      .filter(({ adminAccess }) => !adminAccess)
      .map(({ driver, pool, name }) => deviceKey({ driver, pool, device: name }));
    this.#pending.set(claim.metadata?.uid ?? '', keys);
    this.#count(keys, 1);
  }

  /** The allocation of a claim was written or given up. */
  settle(claimUid: string): void {
    const keys = this.#pending.get(claimUid);
    if (keys === undefined) return;
    this.#pending.delete(claimUid);
    this.#count(keys, -1);
  }

  #follow(before: ResourceClaim | undefined, after: ResourceClaim | undefined): void {
    const [old, present] = [before?.status?.allocation, after?.status?.allocation];
    if (old === undefined && present === undefined) return;
    this.#count(allocatedDevices(before), -1);
    this.#count(allocatedDevices(after), 1);
  }

  #count(keys: readonly string[], delta: 1 | -1): void {
    for (const key of keys) {
      const count = (this.#taken.get(key) ?? 0) + delta;
      if (count > 0) this.#taken.set(key, count);
      else this.#taken.delete(key);
    }
  }
}

/** What requests with access for administrators have is not taken. */
const allocatedDevices = (claim: ResourceClaim | undefined): string[] =>
  (claim?.status?.allocation?.devices?.results ?? [])
    .filter(({ adminAccess }) => adminAccess !== true)
    .map(({ driver = '', pool = '', device = '' }) => deviceKey({ driver, pool, device }));
