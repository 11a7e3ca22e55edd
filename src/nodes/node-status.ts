import type { Node, NodeCondition, NodeStatus } from '../model/generated/core-v1.ts';
import { formatTime } from '../model/time.ts';
import { equalJson } from '../schema/structural/index.ts';
import { nodeAddress } from './addresses.ts';
import { stage } from './annotations.ts';
import type { Amounts } from './settings.ts';

const NOT_READY = stage('node-not-ready');

export interface NodeStatusOptions {
  readonly node: Node;
  /** The number of the node, from which its address follows. */
  readonly index: number;
  /** Amounts of a node whose object names none. */
  readonly capacity: Amounts;
  /** Version that the kubelet reports. */
  readonly version: string;
  /** Milliseconds since 1970, of the cluster. */
  readonly now: number;
}

/** A condition without its times. */
type WantedCondition = Required<Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>>;

const HEALTHY: readonly WantedCondition[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
];

/**
 * The status of a node as its kubelet says it. What its object says of its capacity, addresses and machine stays;
 * conditions of other types are not in it.
 */
export function nodeStatusOf(options: NodeStatusOptions): NodeStatus {
  const { node, index } = options;
  const { status: present = {}, metadata } = node;
  const capacity = { ...options.capacity, ...present.capacity };
  const name = metadata?.name ?? '';
  return {
    capacity,
    allocatable: { ...capacity, ...present.allocatable },
    addresses: present.addresses ?? [
      { type: 'InternalIP', address: nodeAddress(index) },
      { type: 'Hostname', address: name },
    ],
    conditions: timedConditions(options),
    nodeInfo: nodeInfoOf(options),
  };
}

/**
 * What changes the status of a node into the wanted one.
 * @param isHeartbeat also writes the heartbeats of conditions that do not change
 * @returns a strategic merge patch; undefined if there is nothing to change
 */
export function nodeStatusPatch(
  { status: present = {} }: Node,
  wanted: NodeStatus,
  isHeartbeat: boolean,
): object | undefined {
  const status: Record<string, unknown> = {};
  for (const name of ['capacity', 'allocatable', 'addresses', 'nodeInfo'] as const)
    if (!equalJson(present[name], wanted[name])) status[name] = wanted[name];
  const conditions = (wanted.conditions ?? []).filter((condition) => {
    const before = present.conditions?.find(({ type }) => type === condition.type);
    return isHeartbeat || !isSame(before, condition);
  });
  if (conditions.length > 0) status['conditions'] = conditions;
  return Object.keys(status).length > 0 ? { status } : undefined;
}

const isSame = (before: NodeCondition | undefined, condition: NodeCondition): boolean =>
  before?.status === condition.status &&
  before?.reason === condition.reason &&
  before?.message === condition.message;

/** The conditions, as the label for a failing node changes them. */
function wantedConditions({ metadata }: Node): readonly WantedCondition[] {
  const { labels = {}, annotations = {} } = metadata ?? {};
  if (labels[NOT_READY] !== 'true') return HEALTHY;
  const reason = annotations[`${NOT_READY}/reason`] || 'nodeFailed';
  const message = annotations[`${NOT_READY}/message`] || 'node failed';
  const failing = annotations[`${NOT_READY}/type`];
  return HEALTHY.map((condition) => {
    if (condition.type === 'Ready') return { ...condition, status: 'False', reason, message };
    return condition.type === failing ? { ...condition, status: 'True', reason, message } : condition;
  });
}

function timedConditions({ node, now }: NodeStatusOptions): NodeCondition[] {
  const time = formatTime(now);
  return wantedConditions(node).map((condition) => {
    const before = node.status?.conditions?.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : time;
    return { ...condition, lastHeartbeatTime: time, lastTransitionTime: lastTransitionTime ?? time };
  });
}

const REPORTED = 'simulated';

function nodeInfoOf({ node, version }: NodeStatusOptions): NodeStatus['nodeInfo'] {
  const { labels = {}, uid = '' } = node.metadata ?? {};
  const defaults = {
    architecture: labels['kubernetes.io/arch'] || 'amd64',
    bootID: uid,
    containerRuntimeVersion: `${REPORTED}://1.0.0`,
    kernelVersion: REPORTED,
    kubeProxyVersion: '',
    kubeletVersion: version,
    machineID: uid.replaceAll('-', ''),
    operatingSystem: labels['kubernetes.io/os'] || 'linux',
    osImage: REPORTED,
    systemUUID: uid,
  };
  const given = Object.entries(node.status?.nodeInfo ?? {}).filter(([, value]) => value !== '');
  return { ...defaults, ...Object.fromEntries(given) };
}
