import type { Node, NodeCondition } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import { conditionOf, type NodeRecord } from './node-record.ts';
import type { NodeLifecycleSettings } from './settings.ts';

/** The conditions of which nothing is known when a kubelet is silent. */
const KUBELET_CONDITIONS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** When the controller last saw a sign of life of a node, and what it was. */
export interface NodeHealth {
  /** Milliseconds since 1970, of the cluster. */
  readonly seenAt: number;
  readonly heartbeat: string;
  readonly renewTime: string;
}

/**
 * Compares what a node and its Lease say with what they said before. Times in them are not trusted: only that they
 * change.
 * @param renewTime of the Lease; empty without one
 */
export function observeHealth(
  known: NodeHealth | undefined,
  { heartbeat, ready, createdAt }: Pick<NodeRecord, 'heartbeat' | 'ready' | 'createdAt'>,
  renewTime: string,
  now: number,
): NodeHealth {
  if (known === undefined)
    return { heartbeat, renewTime, seenAt: ready === undefined && renewTime === '' ? createdAt : now };
  const isAlive = known.heartbeat !== heartbeat || (renewTime !== '' && renewTime !== known.renewTime);
  return { heartbeat, renewTime: renewTime || known.renewTime, seenAt: isAlive ? now : known.seenAt };
}

/** When the silence of a node has lasted too long. */
export const silentAt = (
  { seenAt }: NodeHealth,
  { ready }: Pick<NodeRecord, 'ready'>,
  { monitorGracePeriod, startupGracePeriod }: NodeLifecycleSettings,
): number => seenAt + (ready === undefined ? startupGracePeriod : monitorGracePeriod);

/** The conditions of a node whose kubelet is silent: those that change. */
export function silentConditions(node: Node, now: number): NodeCondition[] {
  const time = formatTime(now);
  return KUBELET_CONDITIONS.flatMap((type): NodeCondition[] => {
    const present = conditionOf(node, type);
    if (present === undefined)
      return [
        {
          type,
          status: 'Unknown',
          reason: 'NodeStatusNeverUpdated',
          message: 'Kubelet never posted node status.',
          lastHeartbeatTime: node.metadata?.creationTimestamp ?? null,
          lastTransitionTime: time,
        },
      ];
    if (present.status === 'Unknown') return [];
    return [
      {
        ...present,
        status: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
        lastTransitionTime: time,
      },
    ];
  });
}
