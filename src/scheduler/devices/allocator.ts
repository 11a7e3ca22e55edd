import type { DeviceClass, DeviceRequest, ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import { exactRequest } from '../../reconcile/devices.ts';
import type { SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { SchedulingError } from '../scheduling-error.ts';
import { type DeviceView, deviceKey, SelectorError } from './device-view.ts';
import { MatchAttribute } from './match-attribute.ts';
import { type DevicePool, type PooledDevice, poolsOf } from './pools.ts';

/** A device for a request. */
export interface ChosenDevice extends PooledDevice {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly adminAccess: boolean;
}

/** Devices for one claim. */
export interface ClaimAllocation {
  readonly claim: ResourceClaim;
  readonly devices: readonly ChosenDevice[];
  /** The classes of the requests, in their order. */
  readonly classes: readonly DeviceClass[];
}

/** Devices that one claim may have. */
const MOST_DEVICES = 32;
/** Combinations of devices that are tried for one node: beyond it the node counts as unsuitable. */
const MOST_ATTEMPTS = 20_000;

interface RequestPlan {
  readonly request: DeviceRequest;
  readonly deviceClass: DeviceClass;
  readonly count: number;
  /** The devices of a request for all; undefined if any of the pools will do. */
  readonly all: readonly Candidate[] | undefined;
}

interface ClaimPlan {
  readonly claim: ResourceClaim;
  readonly requests: readonly RequestPlan[];
  readonly constraints: readonly MatchAttribute[];
}

interface Candidate extends PooledDevice {
  readonly pool: DevicePool;
}

const nameOf = ({ metadata }: ResourceClaim): string => `${metadata?.namespace}/${metadata?.name}`;

/**
 * Chooses devices for claims on one node: it tries all devices for all requests in turn and takes the first
 * combination that meets all constraints. Undefined if there is none.
 * @throws SchedulingError if something is wrong with a claim, class or pool
 */
export function allocateDevices(
  claims: readonly ResourceClaim[],
  node: SelectableNode,
  view: DeviceView,
): readonly ClaimAllocation[] | undefined {
  const pools = poolsOf(node, view);
  const plans = claims.map((claim) => planClaim(claim, pools, view));
  return new Search(plans, pools, view).run();
}

/**
 * Evaluates the selectors of claims for the devices of a node, so that {@link allocateDevices} finds the results. Those
 * that fail are evaluated again, if they are needed.
 */
export function* evaluateSelectors(
  claims: readonly ResourceClaim[],
  node: SelectableNode,
  view: DeviceView,
): Steps<void> {
  const pace = new Pace(stepSizes.records);
  const pools = poolsOf(node, view);
  for (const claim of claims)
    for (const request of (claim.spec?.devices?.requests ?? []).map(exactRequest)) {
      const deviceClass = view.deviceClass(request.deviceClassName ?? '');
      if (deviceClass === undefined) continue;
      for (const pool of pools)
        for (const device of pool.devices) {
          if (pace.isPause()) yield;
          try {
            isSelected(claim, request, deviceClass, pool, device, view);
          } catch (error) {
            if (!(error instanceof SchedulingError)) throw error;
          }
        }
    }
}

function planClaim(claim: ResourceClaim, pools: readonly DevicePool[], view: DeviceView): ClaimPlan {
  const { requests = [], constraints = [] } = claim.spec?.devices ?? {};
  const plans = requests.map((request) => planRequest(claim, exactRequest(request), pools, view));
  const total = plans.reduce((sum, { count }) => sum + count, 0);
  if (total > MOST_DEVICES)
    throw new SchedulingError(
      `claim ${nameOf(claim)}: number of requested devices ${total} exceeds the claim limit of ${MOST_DEVICES}`,
    );
  return {
    claim,
    requests: plans,
    constraints: constraints.map(({ matchAttribute, requests = [] }, index) => {
      if (matchAttribute === undefined)
        throw new SchedulingError(
          `claim ${nameOf(claim)}, constraint #${index}: empty constraint (unsupported constraint type?)`,
        );
      return new MatchAttribute(matchAttribute, requests);
    }),
  };
}

function planRequest(
  claim: ResourceClaim,
  request: DeviceRequest,
  pools: readonly DevicePool[],
  view: DeviceView,
): RequestPlan {
  const fail = (problem: string): never => {
    throw new SchedulingError(`claim ${nameOf(claim)}, request ${request.name}: ${problem}`);
  };
  const { allocationMode, count = 0, adminAccess, deviceClassName = '' } = request;
  if (adminAccess !== undefined && !view.allowsAdminAccess)
    fail('admin access is requested, but the feature is disabled');
  const deviceClass =
    view.deviceClass(deviceClassName) ??
    fail(
      `could not retrieve device class ${deviceClassName}: deviceclass.resource.k8s.io "${deviceClassName}" not found`,
    );
  if (allocationMode === 'ExactCount') return { request, deviceClass, count: Number(count), all: undefined };
  if (allocationMode !== 'All') fail(`unsupported count mode ${allocationMode}`);
  const all: Candidate[] = [];
  for (const pool of pools) {
    const id = `${pool.driver}/${pool.name}`;
    if (pool.isIncomplete) fail(`asks for all devices, but resource pool ${id} is currently being updated`);
    if (pool.duplicate !== undefined)
      fail(`asks for all devices, but resource pool ${id} is currently invalid`);
    for (const device of pool.devices)
      if (isSelected(claim, request, deviceClass, pool, device, view)) all.push({ ...device, pool });
  }
  return { request, deviceClass, count: all.length, all };
}

/** Whether the selectors of class and request select a device. */
function isSelected(
  claim: ResourceClaim,
  request: DeviceRequest,
  deviceClass: DeviceClass,
  { driver }: DevicePool,
  { device }: PooledDevice,
  view: DeviceView,
): boolean {
  const sources = [
    { owner: `class ${deviceClass.metadata?.name}`, selectors: deviceClass.spec?.selectors ?? [] },
    { owner: `claim ${nameOf(claim)}`, selectors: request.selectors ?? [] },
  ];
  for (const { owner, selectors } of sources)
    for (const [index, { cel }] of selectors.entries())
      try {
        if (!view.selects(cel?.expression ?? '', driver, device)) return false;
      } catch (error) {
        if (!(error instanceof SelectorError)) throw error;
        throw new SchedulingError(`${owner}: selector #${index}: ${error.message}`);
      }
  return true;
}

/** Tries devices one after the other, taking back what leads nowhere. */
class Search {
  readonly #plans: readonly ClaimPlan[];
  readonly #pools: readonly DevicePool[];
  readonly #view: DeviceView;
  readonly #chosen: ChosenDevice[][];
  readonly #used = new Set<string>();
  #attempts = 0;

  constructor(plans: readonly ClaimPlan[], pools: readonly DevicePool[], view: DeviceView) {
    this.#plans = plans;
    this.#pools = pools;
    this.#view = view;
    this.#chosen = plans.map(() => []);
  }

  run(): readonly ClaimAllocation[] | undefined {
    if (!this.#choose(0, 0, 0)) return undefined;
    return this.#plans.map(({ claim, requests }, index) => ({
      claim,
      devices: this.#chosen[index]!,
      classes: requests.map(({ deviceClass }) => deviceClass),
    }));
  }

  /** Chooses a device and all that follow it; the depth is bounded by the number of devices of the claims. */
  #choose(claimIndex: number, requestIndex: number, deviceIndex: number): boolean {
    const plan = this.#plans[claimIndex];
    if (plan === undefined) return true;
    const requestPlan = plan.requests[requestIndex];
    if (requestPlan === undefined) return this.#choose(claimIndex + 1, 0, 0);
    if (deviceIndex >= requestPlan.count) return this.#choose(claimIndex, requestIndex + 1, 0);
    for (const candidate of this.#candidates(plan, requestPlan, deviceIndex)) {
      if (++this.#attempts > MOST_ATTEMPTS) return false;
      if (!this.#take(claimIndex, requestPlan, candidate)) continue;
      if (this.#choose(claimIndex, requestIndex, deviceIndex + 1)) return true;
      this.#giveBack(claimIndex, requestPlan);
    }
    return false;
  }

  *#candidates(
    { claim }: ClaimPlan,
    { request, deviceClass, all }: RequestPlan,
    deviceIndex: number,
  ): Generator<Candidate, void> {
    if (all !== undefined) {
      yield all[deviceIndex]!;
      return;
    }
    for (const pool of this.#pools)
      for (const device of pool.devices) {
        if (request.adminAccess !== true && this.#isTaken(pool, device)) continue;
        if (!isSelected(claim, request, deviceClass, pool, device, this.#view)) continue;
        if (pool.duplicate !== undefined)
          throw new SchedulingError(`pool ${pool.name} is invalid: duplicate device name ${pool.duplicate}`);
        yield { ...device, pool };
      }
  }

  #isTaken({ driver, name: pool }: DevicePool, { name: device }: PooledDevice): boolean {
    const id = { driver, pool, device };
    return this.#used.has(deviceKey(id)) || this.#view.isTaken(id);
  }

  #take(claimIndex: number, { request, all }: RequestPlan, candidate: Candidate): boolean {
    const { pool, ...device } = candidate;
    const adminAccess = request.adminAccess === true;
    const name = request.name ?? '';
    if (!adminAccess && this.#isTaken(pool, device)) return false;
    const { claim, constraints } = this.#plans[claimIndex]!;
    for (const [index, constraint] of constraints.entries()) {
      if (constraint.add(name, pool.driver, device.device)) continue;
      if (all !== undefined)
        throw new SchedulingError(
          `claim ${nameOf(claim)}, request ${name}: cannot add device ${pool.driver}/${pool.name}/${device.name} because a claim constraint would not be satisfied`,
        );
      for (const added of constraints.slice(0, index)) added.remove(name);
      return false;
    }
    this.#chosen[claimIndex]!.push({
      ...device,
      request: name,
      driver: pool.driver,
      pool: pool.name,
      adminAccess,
    });
    if (!adminAccess)
      this.#used.add(deviceKey({ driver: pool.driver, pool: pool.name, device: device.name }));
    return true;
  }

  #giveBack(claimIndex: number, { request }: RequestPlan): void {
    const device = this.#chosen[claimIndex]!.pop()!;
    for (const constraint of this.#plans[claimIndex]!.constraints) constraint.remove(request.name ?? '');
    if (!device.adminAccess)
      this.#used.delete(deviceKey({ driver: device.driver, pool: device.pool, device: device.name }));
  }
}
