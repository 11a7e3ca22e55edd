import type { Node, NodeCondition } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { labelChanges } from './labels.ts';
import { NO_EXECUTE_KEYS, type NotReadyKey, taintChanges } from './taints.ts';

/** Leaves a node out when it is judged how much of a zone is down. */
const EXCLUDED = 'node.kubernetes.io/exclude-disruption';
const ZONE = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'];
const REGION = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'];

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** What the controller keeps of a node. */
export interface NodeRecord {
  readonly name: string;
  readonly uid: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Region and zone. */
  readonly zone: string;
  /** Whether it counts when a zone is judged. */
  readonly counts: boolean;
  /** Status of its condition Ready; undefined while it has none. */
  readonly ready: ConditionStatus | undefined;
  /** The time of its last heartbeat, as its kubelet says it. */
  readonly heartbeat: string;
  /** The keys of its taints that evict Pods because it is not ready. */
  readonly noExecute: readonly NotReadyKey[];
  /** Its taints or labels do not follow from its conditions and labels. */
  readonly isOutdated: boolean;
}

export function recordOf(node: Node): NodeRecord {
  const { name = '', uid = '', creationTimestamp, labels = {} } = node.metadata ?? {};
  const ready = conditionOf(node, 'Ready');
  const taints = node.spec?.taints ?? [];
  return {
    name,
    uid,
    createdAt: typeof creationTimestamp === 'string' ? timeToMilliseconds(creationTimestamp) : 0,
    zone: zoneOf(labels),
    counts: labels[EXCLUDED] === undefined,
    ready: ready?.status as ConditionStatus | undefined,
    heartbeat: ready?.lastHeartbeatTime ?? '',
    noExecute: NO_EXECUTE_KEYS.filter((key) =>
      taints.some((taint) => taint.key === key && taint.effect === 'NoExecute'),
    ),
    isOutdated: taintChanges(node) !== undefined || labelChanges(labels) !== undefined,
  };
}

export const conditionOf = ({ status }: Node, type: string): NodeCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

function zoneOf(labels: Readonly<Record<string, string>>): string {
  const first = (names: readonly string[]): string =>
    names.map((name) => labels[name]).find((value) => value !== undefined && value !== '') ?? '';
  return `${first(REGION)}/${first(ZONE)}`;
}
