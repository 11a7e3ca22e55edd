import type { Lease } from '../model/generated/coordination-v1.ts';
import type { Node } from '../model/generated/core-v1.ts';
import type { Writer } from '../reconcile/client.ts';
import { LEASES, NODES } from '../reconcile/resources.ts';
import { ApiError } from '../status/index.ts';
import { KWOK_NODE } from './annotations.ts';
import { LEASE_NAMESPACE, newLease, renewedSpec } from './lease.ts';
import type { NodeAgent } from './node-agent.ts';
import { nodeStatusOf, nodeStatusPatch } from './node-status.ts';
import type { NodeTemplate, SimulationSettings } from './settings.ts';

/** A kubelet writes its status so often, in milliseconds, although nothing changes. */
const REPORT_INTERVAL = 300_000;

/** What a kubelet does for its node. Times are milliseconds of the cluster. */

/** Registers a node that the settings name, unless it is there. */
export async function registerNode(client: Writer, template: NodeTemplate): Promise<void> {
  try {
    await client.create(NODES, nodeOf(template));
  } catch (error) {
    if (!hasCode(error, 409)) throw error;
  }
}

/**
 * Takes or renews the Lease of a node.
 * @param lease that is there
 * @throws Error if the Lease has changed meanwhile
 */
export async function renewLease(agent: NodeAgent, lease: Lease | undefined, now: number): Promise<void> {
  const { name, client, node } = agent;
  try {
    if (lease === undefined) await client.create(LEASES, newLease(node, now));
    else await client.patch(LEASES, LEASE_NAMESPACE, name, renewal(lease, name, now));
  } catch (error) {
    if (hasCode(error, 409) || hasCode(error, 404)) throw new Error('the Lease has changed');
    throw error;
  }
  agent.renewedAt = now;
  agent.isHeld = true;
}

/** Writes the status of a node if it differs, or if it is time. */
export async function reportStatus(
  agent: NodeAgent,
  { capacity }: Pick<SimulationSettings, 'capacity'>,
  version: string,
  now: number,
): Promise<void> {
  const { node, index, client, name } = agent;
  const wanted = nodeStatusOf({ node, index, capacity, version, now });
  const patch = nodeStatusPatch(node, wanted, now - agent.reportedAt >= REPORT_INTERVAL);
  if (patch === undefined) return;
  await client.patch(NODES, '', name, patch, { subresource: 'status', isStrategic: true });
  agent.reportedAt = now;
  if (isReady(node.status) !== isReady(wanted)) agent.events.readinessChanged(node, isReady(wanted));
}

const isReady = (status: Node['status']): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;

/** A renewal; another holder's Lease that has ended is taken only as it is. */
function renewal({ spec, metadata }: Lease, name: string, now: number): object {
  const isOwn = spec?.holderIdentity === name;
  const { resourceVersion } = metadata ?? {};
  return { ...(!isOwn && { metadata: { resourceVersion } }), spec: renewedSpec(name, now) };
}

const nodeOf = ({ name, labels, annotations, taints, unschedulable, capacity }: NodeTemplate): Node => ({
  metadata: { name, labels: { ...labels }, annotations: { [KWOK_NODE]: 'fake', ...annotations } },
  spec: { ...(taints.length > 0 && { taints: [...taints] }), ...(unschedulable && { unschedulable }) },
  status: { capacity: { ...capacity }, allocatable: { ...capacity } },
});

const hasCode = (error: unknown, code: number): boolean => error instanceof ApiError && error.code === code;
