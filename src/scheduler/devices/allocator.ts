import type { DeviceClass, DeviceRequest, ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import { deviceContent, type RequestAlternative, requestAlternatives } from '../../reconcile/devices.ts';
import type { SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { untoleratedTaint } from '../../reconcile/nodes/taints.ts';
import { Pace } from '../../steps/pace.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { Steps } from '../../steps/steps.ts';
import { SchedulingError } from '../scheduling-error.ts';
import { type DeviceView, deviceKey, SelectorError } from './device-view.ts';
import { MatchAttribute } from './match-attribute.ts';
import { type DevicePool, isDeviceUsableOn, type PooledDevice, poolsOf } from './pools.ts';
import { SharedCounters } from './shared-counters.ts';

/** A device for a request. */
export interface ChosenDevice extends PooledDevice {
  readonly alternative: RequestAlternative;
  readonly driver: string;
  readonly pool: string;
  readonly adminAccess: boolean;
}

/** Devices for one claim. */
export interface ClaimAllocation {
  readonly claim: ResourceClaim;
  readonly devices: readonly ChosenDevice[];
  /** The chosen alternatives of the requests, in their order. */
  readonly requests: readonly {
    readonly alternative: RequestAlternative;
    readonly deviceClass: DeviceClass;
  }[];
}

/** Devices that one claim may have. */
const MOST_DEVICES = 32;
/** Combinations of devices that are tried for one node: beyond it the node counts as unsuitable. */
const MOST_ATTEMPTS = 20_000;

interface RequestPlan {
  readonly alternative: RequestAlternative;
  readonly deviceClass: DeviceClass;
  readonly count: number;
  /** The devices of a request for all; undefined if any of the pools will do. */
  readonly all: readonly Candidate[] | undefined;
}

interface ClaimPlan {
  readonly claim: ResourceClaim;
  /** The alternatives of each request, best first. */
  readonly requests: readonly (readonly RequestPlan[])[];
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
  const offer = { node, pools, view };
  return new Search(
    claims.map((claim) => planClaim(claim, offer)),
    offer,
  ).run();
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
    for (const alternative of (claim.spec?.devices?.requests ?? []).flatMap(requestAlternatives)) {
      const deviceClass = view.deviceClass(alternative.request.deviceClassName ?? '');
      if (deviceClass === undefined) continue;
      for (const pool of pools)
        for (const device of pool.devices) {
          if (pace.isPause()) yield;
          try {
            isSelected({ claim, alternative, deviceClass }, pool, device, view);
          } catch (error) {
            if (!(error instanceof SchedulingError)) throw error;
          }
        }
    }
}

/** What a node has to offer. */
interface Offer {
  readonly node: SelectableNode;
  readonly pools: readonly DevicePool[];
  readonly view: DeviceView;
}

function planClaim(claim: ResourceClaim, offer: Offer): ClaimPlan {
  const { requests = [], constraints = [] } = claim.spec?.devices ?? {};
  const plans = requests.map((request) =>
    requestAlternatives(request).map((alternative) => planRequest(claim, alternative, offer)),
  );
  const total = plans.reduce((sum, ways) => sum + Math.min(...ways.map(({ count }) => count)), 0);
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
  alternative: RequestAlternative,
  { node, pools, view }: Offer,
): RequestPlan {
  const { request } = alternative;
  const fail = (problem: string): never => {
    throw new SchedulingError(`claim ${nameOf(claim)}, request ${request.name}: ${problem}`);
  };
  const { allocationMode, count = 0, adminAccess, deviceClassName = '' } = request;
  if (adminAccess !== undefined && !view.rules.allowsAdminAccess)
    fail('admin access is requested, but the feature is disabled');
  const deviceClass =
    view.deviceClass(deviceClassName) ??
    fail(
      `could not retrieve device class ${deviceClassName}: deviceclass.resource.k8s.io "${deviceClassName}" not found`,
    );
  if (allocationMode === 'ExactCount')
    return { alternative, deviceClass, count: Number(count), all: undefined };
  if (allocationMode !== 'All') fail(`unsupported count mode ${allocationMode}`);
  const all: Candidate[] = [];
  for (const pool of pools) {
    const id = `${pool.driver}/${pool.name}`;
    if (pool.isIncomplete) fail(`asks for all devices, but resource pool ${id} is currently being updated`);
    if (pool.problem !== undefined)
      fail(`asks for all devices, but resource pool ${id} is currently invalid`);
    for (const device of pool.devices)
      if (
        isSelected({ claim, alternative, deviceClass }, pool, device, view) &&
        isDeviceUsableOn(node, device)
      )
        all.push({ ...device, pool });
  }
  return { alternative, deviceClass, count: all.length, all };
}

interface Selecting {
  readonly claim: ResourceClaim;
  readonly alternative: RequestAlternative;
  readonly deviceClass: DeviceClass;
}

/** Whether the selectors of class and request select a device. */
function isSelected(
  { claim, alternative, deviceClass }: Selecting,
  { driver }: DevicePool,
  { device }: PooledDevice,
  view: DeviceView,
): boolean {
  const sources = [
    { owner: `class ${deviceClass.metadata?.name}`, selectors: deviceClass.spec?.selectors ?? [] },
    { owner: `claim ${nameOf(claim)}`, selectors: alternative.request.selectors ?? [] },
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
  readonly #offer: Offer;
  readonly #chosen: ChosenDevice[][];
  /** The alternative that is tried for each request. */
  readonly #ways: RequestPlan[][];
  readonly #used = new Set<string>();
  readonly #counters = new Map<DevicePool, SharedCounters>();
  #attempts = 0;

  constructor(plans: readonly ClaimPlan[], offer: Offer) {
    this.#plans = plans;
    this.#offer = offer;
    this.#chosen = plans.map(() => []);
    this.#ways = plans.map(() => []);
  }

  run(): readonly ClaimAllocation[] | undefined {
    if (!this.#chooseWay(0, 0)) return undefined;
    return this.#plans.map(({ claim }, index) => ({
      claim,
      devices: this.#chosen[index]!,
      requests: this.#ways[index]!,
    }));
  }

  /** Chooses an alternative of a request, and all that follows it. */
  #chooseWay(claimIndex: number, requestIndex: number): boolean {
    const plan = this.#plans[claimIndex];
    if (plan === undefined) return true;
    const ways = plan.requests[requestIndex];
    if (ways === undefined) return this.#chooseWay(claimIndex + 1, 0);
    for (const way of ways) {
      this.#ways[claimIndex]![requestIndex] = way;
      if (this.#choose(claimIndex, requestIndex, 0)) return true;
    }
    return false;
  }

  /** Chooses a device and all that follow it; the depth is bounded by the number of devices of the claims. */
  #choose(claimIndex: number, requestIndex: number, deviceIndex: number): boolean {
    const plan = this.#plans[claimIndex]!;
    const way = this.#ways[claimIndex]![requestIndex]!;
    if (way.all?.length === 0 && this.#offer.view.rules.allIsAtLeastOne) return false;
    if (deviceIndex >= way.count) return this.#chooseWay(claimIndex, requestIndex + 1);
    if (this.#chosen[claimIndex]!.length + way.count - deviceIndex > MOST_DEVICES) return false;
    for (const candidate of this.#candidates(plan, way, deviceIndex)) {
      if (++this.#attempts > MOST_ATTEMPTS) return false;
      if (!this.#take(claimIndex, way, candidate)) continue;
      if (this.#choose(claimIndex, requestIndex, deviceIndex + 1)) return true;
      this.#giveBack(claimIndex, candidate);
    }
    return false;
  }

  *#candidates(
    { claim }: ClaimPlan,
    { alternative, deviceClass, all }: RequestPlan,
    deviceIndex: number,
  ): Generator<Candidate, void> {
    if (all !== undefined) {
      yield all[deviceIndex]!;
      return;
    }
    const { node, pools, view } = this.#offer;
    for (const pool of pools) {
      if (view.rules.usesWholePools && (pool.isIncomplete || pool.problem !== undefined)) continue;
      for (const device of pool.devices) {
        if (alternative.request.adminAccess !== true && this.#isTaken(pool, device)) continue;
        if (!isSelected({ claim, alternative, deviceClass }, pool, device, view)) continue;
        if (!isDeviceUsableOn(node, device)) continue;
        if (pool.problem !== undefined)
          throw new SchedulingError(`pool ${pool.name} is invalid: ${pool.problem}`);
        yield { ...device, pool };
      }
    }
  }

  #isTaken({ driver, name: pool }: DevicePool, { name: device }: PooledDevice): boolean {
    const id = { driver, pool, device };
    return this.#used.has(deviceKey(id)) || this.#offer.view.isTaken(id);
  }

  /** Whether neither taints nor feature gates keep a device from a request. */
  #isOffered({ device }: PooledDevice, { tolerations = [] }: DeviceRequest): boolean {
    const { checksTaints, sharesCounters } = this.#offer.view.rules;
    const { taints = [], consumesCounters = [] } = deviceContent(device);
    if (checksTaints && untoleratedTaint(taints, tolerations) !== undefined) return false;
    return sharesCounters || consumesCounters.length === 0;
  }

  #isChosen(claimIndex: number, { pool, name }: Candidate): boolean {
    return this.#chosen[claimIndex]!.some(
      (device) => device.name === name && device.pool === pool.name && device.driver === pool.driver,
    );
  }

  #take(claimIndex: number, { alternative, all }: RequestPlan, candidate: Candidate): boolean {
    const { pool, ...device } = candidate;
    const { request } = alternative;
    const adminAccess = request.adminAccess === true;
    if (!adminAccess && this.#isTaken(pool, device)) return false;
    if (adminAccess && this.#offer.view.rules.choosesOncePerClaim && this.#isChosen(claimIndex, candidate))
      return false;
    if (!this.#isOffered(device, request)) return false;
    if (this.#countersOf(pool)?.take(device) === false) return false;
    const { claim, constraints } = this.#plans[claimIndex]!;
    for (const [index, constraint] of constraints.entries()) {
      if (constraint.add(alternative, pool.driver, device.device)) continue;
      if (all !== undefined)
        throw new SchedulingError(
          `claim ${nameOf(claim)}, request ${request.name}: cannot add device ${pool.driver}/${pool.name}/${device.name} because a claim constraint would not be satisfied`,
        );
      for (const added of constraints.slice(0, index)) added.remove(alternative);
      this.#countersOf(pool)?.giveBack(device);
      return false;
    }
    this.#chosen[claimIndex]!.push({
      ...device,
      alternative,
      driver: pool.driver,
      pool: pool.name,
      adminAccess,
    });
    if (!adminAccess)
      this.#used.add(deviceKey({ driver: pool.driver, pool: pool.name, device: device.name }));
    return true;
  }

  /** Undefined for a pool without shared counters. */
  #countersOf(pool: DevicePool): SharedCounters | undefined {
    if (pool.partitions.length === 0) return undefined;
    let counters = this.#counters.get(pool);
    if (counters === undefined) {
      const { driver, name } = pool;
      counters = new SharedCounters(pool, (device) =>
        this.#offer.view.isTaken({ driver, pool: name, device: device.name }),
      );
      this.#counters.set(pool, counters);
    }
    return counters;
  }

  #giveBack(claimIndex: number, { pool }: Candidate): void {
    const device = this.#chosen[claimIndex]!.pop()!;
    for (const constraint of this.#plans[claimIndex]!.constraints) constraint.remove(device.alternative);
    this.#countersOf(pool)?.giveBack(device);
    if (!device.adminAccess)
      this.#used.delete(deviceKey({ driver: device.driver, pool: device.pool, device: device.name }));
  }
}
