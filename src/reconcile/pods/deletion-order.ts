import type { ContainerStatus, Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { isActive, isReady, readySince } from './pod-state.ts';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
/** Phases of active Pods, the one to delete first first. */
const PHASES = ['Pending', 'Unknown', 'Running'];
const NANOSECONDS = 1_000_000;

/** A Pod with what decides when it is deleted. */
interface Ranked {
  readonly pod: Pod;
  readonly cost: number;
  /** Active Pods of the family on its node. */
  readonly neighbours: number;
}

/**
 * The Pods that a controller deletes when it has too many: unassigned ones, pending ones, ones that are not ready, those
 * with a lower deletion cost, those with more Pods of the family beside them, those that are ready for a shorter time,
 * those with more restarts, younger ones. Times differ only if their logarithms do, so that the youngest are not always
 * the ones to go.
 * @param pods active ones
 * @param family Pods of all controllers with the same owner, for the spread over nodes
 * @param now milliseconds since the epoch
 */
export function podsToDelete(
  pods: readonly Pod[],
  family: Iterable<Pod>,
  count: number,
  now: number,
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const pod of family) {
    const { nodeName = '' } = pod.spec ?? {};
    if (isActive(pod)) onNode.set(nodeName, (onNode.get(nodeName) ?? 0) + 1);
  }
  const ranked: Ranked[] = pods.map((pod) => ({
    pod,
    cost: deletionCost(pod),
    neighbours: onNode.get(pod.spec?.nodeName ?? '') ?? 0,
  }));
  return ranked
    .sort((one, other) => compare(one, other, now))
    .slice(0, count)
    .map(({ pod }) => pod);
}

/** Validation has refused what is no int32. */
function deletionCost({ metadata }: Pod): number {
  const { annotations = {} } = metadata ?? {};
  const cost = Object.hasOwn(annotations, DELETION_COST) ? Number(annotations[DELETION_COST]) : 0;
  return Number.isInteger(cost) ? cost : 0;
}

function compare(one: Ranked, other: Ranked, now: number): number {
  return (
    isAssigned(one) - isAssigned(other) ||
    phaseOf(one) - phaseOf(other) ||
    Number(isReady(one.pod)) - Number(isReady(other.pod)) ||
    one.cost - other.cost ||
    other.neighbours - one.neighbours ||
    compareTimes(one, other, (pod) => readySince(pod), now) ||
    mostRestarts(other, regularStatuses) - mostRestarts(one, regularStatuses) ||
    mostRestarts(other, sidecarStatuses) - mostRestarts(one, sidecarStatuses) ||
    compareTimes(one, other, createdAt, now)
  );
}

const isAssigned = ({ pod }: Ranked): number => (pod.spec?.nodeName ? 1 : 0);
const phaseOf = ({ pod }: Ranked): number => PHASES.indexOf(pod.status?.phase ?? '');

const createdAt = ({ metadata }: Pod): number | undefined =>
  metadata?.creationTimestamp ? timeToMilliseconds(metadata.creationTimestamp) : undefined;

/** The later time first; one without a time is the first. Equal logarithms are ordered by uid. */
function compareTimes(
  one: Ranked,
  other: Ranked,
  timeOf: (pod: Pod) => number | undefined,
  now: number,
): number {
  const [mine, theirs] = [timeOf(one.pod), timeOf(other.pod)];
  if (mine === theirs) return 0;
  if (mine === undefined) return -1;
  if (theirs === undefined) return 1;
  return (
    magnitude(now - mine) - magnitude(now - theirs) ||
    ((one.pod.metadata?.uid ?? '') < (other.pod.metadata?.uid ?? '') ? -1 : 1)
  );
}

/** The binary logarithm of a time in nanoseconds, as the reference compares it. */
const magnitude = (milliseconds: number): number =>
  milliseconds > 0 ? Math.floor(Math.log2(milliseconds * NANOSECONDS)) : -1;

type SelectStatuses = (pod: Pod) => readonly ContainerStatus[];

const regularStatuses: SelectStatuses = ({ status }) => status?.containerStatuses ?? [];

/** The statuses of init containers that run beside the others. */
const sidecarStatuses: SelectStatuses = ({ spec, status }) => {
  const sidecars = new Set(
    (spec?.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  return (status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
};

const mostRestarts = ({ pod }: Ranked, select: SelectStatuses): number =>
  select(pod).reduce((most, { restartCount = 0 }) => Math.max(most, restartCount), 0);
