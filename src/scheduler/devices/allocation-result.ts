import type { NodeSelector, NodeSelectorRequirement } from '../../model/generated/core-v1.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
} from '../../model/generated/resource-v1beta1.ts';
import { deviceContent } from '../../reconcile/devices.ts';
import type { ChosenDevice, ClaimAllocation } from './allocator.ts';

/** The allocation of a claim as it is written to its status. */
export function allocationResult(allocation: ClaimAllocation): AllocationResult {
  const config = configurations(allocation);
  const nodeSelector = nodesOf(allocation.devices);
  return {
    devices: {
      results: allocation.devices.map(({ alternative, driver, pool, name, adminAccess }) => ({
        request: alternative.name,
        driver,
        pool,
        device: name,
        ...(adminAccess && { adminAccess }),
        ...(alternative.request.tolerations && { tolerations: alternative.request.tolerations }),
      })),
      ...(config.length > 0 && { config }),
    },
    ...(nodeSelector && { nodeSelector }),
  };
}

/** Those of the classes, once for all requests of a class, then those of the claim. */
function configurations({ claim, requests }: ClaimAllocation): DeviceAllocationConfiguration[] {
  const requestsOfClass = new Map<string, string[]>();
  for (const { alternative, deviceClass } of requests) {
    const className = deviceClass.metadata?.name ?? '';
    requestsOfClass.set(className, [...(requestsOfClass.get(className) ?? []), alternative.name]);
  }
  const classes = new Set(requests.map(({ deviceClass }) => deviceClass));
  const ofClasses = [...classes].flatMap(({ metadata, spec }) =>
    (spec?.config ?? []).map(({ opaque }) => ({
      source: 'FromClass',
      requests: requestsOfClass.get(metadata?.name ?? '') ?? [],
      ...(opaque && { opaque }),
    })),
  );
  const ofClaim = (claim.spec?.devices?.config ?? [])
    .filter((config) => concerns(config.requests, requests))
    .map(({ requests: names, opaque }) => ({
      source: 'FromClaim',
      ...(names && { requests: names }),
      ...(opaque && { opaque }),
    }));
  return [...ofClasses, ...ofClaim];
}

/** Whether a configuration is for all requests, or names one of those that were chosen. */
const concerns = (names: readonly string[] = [], requests: ClaimAllocation['requests']): boolean =>
  names.length === 0 ||
  requests.some(({ alternative: { name, parent } }) => names.includes(parent) || names.includes(name));

/** Where all of the devices can be used; undefined: everywhere. */
function nodesOf(devices: readonly ChosenDevice[]): NodeSelector | undefined {
  const matchFields: NodeSelectorRequirement[] = [];
  const matchExpressions: NodeSelectorRequirement[] = [];
  for (const { slice, device } of devices) {
    const place = slice.spec?.perDeviceNodeSelection === true ? deviceContent(device) : slice.spec;
    const { nodeName = '', nodeSelector } = place ?? {};
    if (nodeName !== '') return onNode(nodeName);
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    addNew(matchFields, term?.matchFields ?? []);
    addNew(matchExpressions, term?.matchExpressions ?? []);
  }
  if (matchFields.length + matchExpressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      {
        ...(matchExpressions.length > 0 && { matchExpressions }),
        ...(matchFields.length > 0 && { matchFields }),
      },
    ],
  };
}

const onNode = (name: string): NodeSelector => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
});

function addNew(known: NodeSelectorRequirement[], added: readonly NodeSelectorRequirement[]): void {
  for (const requirement of added)
    if (!known.some((other) => requirementKey(other) === requirementKey(requirement)))
      known.push(requirement);
}

const requirementKey = ({ key, operator, values = [] }: NodeSelectorRequirement): string =>
  JSON.stringify([key, operator, [...new Set(values)].sort()]);
