import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
} from '../../../model/generated/core-v1.ts';
import { AgeCell, type Cell } from '../../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from '../../tables/define.ts';
import { conditionStatus, orNone } from '../../tables/format.ts';

interface Progress {
  /** Text of the Status column. */
  reason: string;
  ready: number;
  total: number;
  restarts: number;
  /** Time when a container last terminated before its restart. */
  lastRestart: string | undefined;
}

const later = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined ? b : b === undefined || Date.parse(b) <= Date.parse(a) ? a : b;
const lastEnd = (status: ContainerStatus): string | undefined =>
  status.lastState?.terminated?.finishedAt ?? undefined;
/** Returns whether an init container is a sidecar, which keeps running beside the containers. */
const isSidecar = (container: Container | undefined): boolean => container?.restartPolicy === 'Always';

function endReason(terminated: ContainerStateTerminated): string {
  if (terminated.reason !== undefined && terminated.reason !== '') return terminated.reason;
  return terminated.signal !== undefined && terminated.signal !== 0
    ? `Signal:${terminated.signal}`
    : `ExitCode:${terminated.exitCode ?? 0}`;
}

/** Returns why an init container blocks initialization; undefined when it does not. */
function initReason(
  status: ContainerStatus,
  index: number,
  count: number,
  sidecar: boolean,
): string | undefined {
  const { terminated, waiting } = status.state ?? {};
  if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) return undefined;
  if (sidecar && status.started === true) return undefined;
  if (terminated !== undefined) return `Init:${endReason(terminated)}`;
  if (waiting?.reason !== undefined && waiting.reason !== '' && waiting.reason !== 'PodInitializing')
    return `Init:${waiting.reason}`;
  return `Init:${index}/${count}`;
}

/** Adds init containers to `progress`. @returns whether the pod is still initializing */
function countInitContainers(
  pod: Pod,
  progress: Progress,
  sidecars: Pick<Progress, 'restarts' | 'lastRestart'>,
): boolean {
  const containers = pod.spec?.initContainers ?? [];
  // The first container with a name counts.
  const byName = new Map([...containers].reverse().map((container) => [container.name, container]));
  for (const [index, status] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const sidecar = isSidecar(byName.get(status.name));
    progress.restarts += status.restartCount ?? 0;
    progress.lastRestart = later(progress.lastRestart, lastEnd(status));
    if (sidecar) {
      sidecars.restarts += status.restartCount ?? 0;
      sidecars.lastRestart = later(sidecars.lastRestart, lastEnd(status));
    }
    const reason = initReason(status, index, containers.length, sidecar);
    if (reason !== undefined) {
      progress.reason = reason;
      return true;
    }
    if (sidecar && status.started === true && status.ready === true && status.state?.terminated === undefined)
      progress.ready++;
  }
  return false;
}

function countContainers(pod: Pod, progress: Progress): void {
  let running = false;
  for (const status of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    const { waiting, terminated, running: runs } = status.state ?? {};
    progress.restarts += status.restartCount ?? 0;
    progress.lastRestart = later(progress.lastRestart, lastEnd(status));
    if (waiting?.reason !== undefined && waiting.reason !== '') progress.reason = waiting.reason;
    else if (terminated !== undefined) progress.reason = endReason(terminated);
    else if (status.ready === true && runs !== undefined) {
      running = true;
      progress.ready++;
    }
  }
  if (progress.reason === 'Completed' && running) {
    const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
    progress.reason = isReady ? 'Running' : 'NotReady';
  }
}

/**
 * Summarizes a pod for its row: scheduling gates and initialization first, then containers, then deletion.
 */
function progressOf(pod: Pod): Progress {
  const { spec, status, metadata } = pod;
  const phase = status?.phase ?? '';
  const gated =
    status?.conditions?.some(
      ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
    ) === true;
  const progress: Progress = {
    reason: gated
      ? 'SchedulingGated'
      : status?.reason !== undefined && status.reason !== ''
        ? status.reason
        : phase,
    ready: 0,
    total: (spec?.containers?.length ?? 0) + (spec?.initContainers?.filter(isSidecar).length ?? 0),
    restarts: 0,
    lastRestart: undefined,
  };
  const sidecars = { restarts: 0, lastRestart: undefined };
  const initializing = countInitContainers(pod, progress, sidecars);
  if (!initializing || conditionStatus(status?.conditions, 'Initialized') === 'True') {
    Object.assign(progress, sidecars);
    countContainers(pod, progress);
  }
  if (metadata?.deletionTimestamp !== undefined) {
    if (status?.reason === 'NodeLost') progress.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') progress.reason = 'Terminating';
  }
  return progress;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const statuses = new Map(
    [...(pod.status?.conditions ?? [])].reverse().map(({ type, status }) => [type, status]),
  );
  return `${gates.filter(({ conditionType = '' }) => statuses.get(conditionType) === 'True').length}/${gates.length}`;
}

function podCells(pod: Pod): Cell[] {
  const { reason, ready, total, restarts, lastRestart } = progressOf(pod);
  return [
    nameOf(pod),
    `${ready}/${total}`,
    reason,
    restarts === 0 || lastRestart === undefined
      ? String(restarts)
      : new AgeCell(lastRestart, (age) => `${restarts} (${age} ago)`),
    ageOf(pod),
    orNone(pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP),
    orNone(pod.spec?.nodeName),
    orNone(pod.status?.nominatedNodeName),
    readinessGates(pod),
  ];
}

/** Rows of terminated pods have a condition, so that clients can hide them. */
function podConditions({ status }: Pod): readonly object[] | undefined {
  if (status?.phase === 'Succeeded')
    return [
      {
        type: 'Completed',
        status: 'True',
        reason: 'Succeeded',
        message: 'The pod has completed successfully.',
      },
    ];
  if (status?.phase === 'Failed')
    return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }];
  return undefined;
}

export const podTable = table<Pod>(
  [
    NAME,
    column('Ready', 'Number of ready containers, of all.'),
    column('Status', 'Status of the pod, or the reason why it is not running.'),
    column('Restarts', 'Number of container restarts and the age of the last one.'),
    AGE,
    wide('IP', 'First address of the pod.'),
    wide('Node', 'Node the pod is assigned to.'),
    wide('Nominated Node', 'Node on which lower-priority pods are preempted.'),
    wide('Readiness Gates', 'Number of satisfied readiness gates, of all.'),
  ],
  podCells,
  podConditions,
);
