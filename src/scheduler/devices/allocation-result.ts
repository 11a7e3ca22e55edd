import type { NodeSelector, NodeSelectorRequirement } from '../../model/generated/core-v1.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
} from '../../model/generated/resource-v1beta1.ts';
import type { ChosenDevice, ClaimAllocation } from './allocator.ts';

/** The allocation of a claim as it is written to its status. */
export function allocationResult(allocation: ClaimAllocation): AllocationResult {
  const config = configurations(allocation);
  const nodeSelector = nodesOf(allocation.devices);
  return {
    devices: {
      results: allocation.devices.map(({ request, driver, pool, name, adminAccess }) => ({
        request,
        driver,
        pool,
        device: name,
        ...(adminAccess && { adminAccess }),
      })),
      ...(config.length > 0 && { config }),
    },
    ...(nodeSelector && { nodeSelector }),
  };
}

/** Those of the classes, once for all requests of a class, then those of the claim. */
function configurations({ claim, classes }: ClaimAllocation): DeviceAllocationConfiguration[] {
  const { requests = [], config = [] } = claim.spec?.devices ?? {};
  const requestsOfClass = new Map<string, string[]>();
  for (const [index, { name = '' }] of requests.entries()) {
    const className = classes[index]!.metadata?.name ?? '';
    requestsOfClass.set(className, [...(requestsOfClass.get(className) ?? []), name]);
  }
  const ofClasses = [...new Set(classes)].flatMap(({ metadata, spec }) =>
    (spec?.config ?? []).map(({ opaque }) => ({
      source: 'FromClass',
      requests: requestsOfClass.get(metadata?.name ?? '') ?? [],
      ...(opaque && { opaque }),
    })),
  );
  const ofClaim = config.map(({ requests, opaque }) => ({
    source: 'FromClaim',
    ...(requests && { requests }),
    ...(opaque && { opaque }),
  }));
  return [...ofClasses, ...ofClaim];
}

/** Where all of the devices can be used; undefined: everywhere. */
function nodesOf(devices: readonly ChosenDevice[]): NodeSelector | undefined {
  const matchFields: NodeSelectorRequirement[] = [];
  const matchExpressions: NodeSelectorRequirement[] = [];
  for (const { slice } of devices) {
    const { nodeName = '', nodeSelector } = slice.spec ?? {};
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
