import type { ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import { requestAlternatives } from '../../reconcile/devices.ts';
import {
  type NodeMatcher,
  nodeSelectorMatcher,
  type SelectableNode,
} from '../../reconcile/nodes/node-selector.ts';
import type { Steps } from '../../steps/steps.ts';
import { allocateDevices, type ClaimAllocation, evaluateSelectors } from '../devices/allocator.ts';
import type { DeviceView } from '../devices/device-view.ts';
import { podClaims } from '../devices/pod-claims.ts';
import { SchedulingError } from '../scheduling-error.ts';
import type { NodeState } from '../state/node-state.ts';
import { DOES_NOT_APPLY, impossible, type NodeCheck, type Rejection, type Rule } from './filter.ts';

const NOT_THERE = impossible('DynamicResources', 'resourceclaim not available on the node');
const NO_DEVICES = impossible('DynamicResources', 'cannot allocate all claims');
const reject = (reason: string) => ({ rejection: impossible('DynamicResources', reason) });

/** Devices of allocated claims must be usable on the node; other claims need free devices there. */
export const dynamicResources: Rule = (pod, { devices }) => {
  if (devices === undefined || pod.resourceClaims.length === 0) return DOES_NOT_APPLY;
  const claims = podClaims(pod, devices);
  if (typeof claims === 'string') return reject(claims);
  if (claims.length === 0) return DOES_NOT_APPLY;
  for (const claim of claims) {
    const problem = claimProblem(claim, devices);
    if (problem !== undefined) return reject(problem);
  }
  return { check: new DeviceCheck(claims, devices) };
};

/** Why a claim cannot be used now. */
function claimProblem({ metadata, spec, status }: ResourceClaim, devices: DeviceView): string | undefined {
  if (status?.allocation !== undefined) return undefined;
  if (devices.isPending(metadata?.uid ?? ''))
    return `resource claim ${metadata?.namespace}/${metadata?.name} is in the process of being allocated`;
  for (const { name, request } of (spec?.devices?.requests ?? []).flatMap(requestAlternatives)) {
    const { deviceClassName = '' } = request;
    if (deviceClassName === '')
      throw new SchedulingError(
        `running PreFilter plugin "DynamicResources": request ${name}: unsupported request type`,
      );
    if (devices.deviceClass(deviceClassName) === undefined)
      return `request ${name}: device class ${deviceClassName} does not exist`;
  }
  return undefined;
}

export class DeviceCheck implements NodeCheck {
  readonly rule = 'DynamicResources';
  /** Claims whose devices cannot be used on some of the nodes. */
  readonly unavailable = new Set<ResourceClaim>();
  readonly #devices: DeviceView;
  readonly #allocated: readonly { readonly claim: ResourceClaim; readonly matches: NodeMatcher }[];
  readonly #waiting: readonly ResourceClaim[];

  constructor(claims: readonly ResourceClaim[], devices: DeviceView) {
    this.#devices = devices;
    this.#waiting = claims.filter(({ status }) => status?.allocation === undefined);
    this.#allocated = claims.flatMap((claim) => {
      const selector = claim.status?.allocation?.nodeSelector;
      return selector === undefined ? [] : [{ claim, matches: nodeSelectorMatcher(selector) }];
    });
  }

  *prepareNode({ info }: NodeState): Steps<void> {
    if (info !== undefined) yield* evaluateSelectors(this.#waiting, info, this.#devices);
  }

  check({ info }: NodeState): Rejection | undefined {
    const elsewhere = this.#allocated.filter(({ matches }) => !matches(info!));
    if (this.#waiting.length > 0 && this.#allocate(info!) === undefined) return NO_DEVICES;
    if (elsewhere.length === 0) return undefined;
    for (const { claim } of elsewhere) this.unavailable.add(claim);
    return NOT_THERE;
  }

  #allocate(node: SelectableNode): readonly ClaimAllocation[] | undefined {
    try {
      return allocateDevices(this.#waiting, node, this.#devices);
    } catch (error) {
      if (!(error instanceof SchedulingError)) throw error;
      throw new SchedulingError(`running "DynamicResources" filter plugin: ${error.message}`);
    }
  }
}
