import type { ContainerStateTerminated, ContainerStatus, Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { behaviorOf } from './behavior.ts';
import { restartLater, restartsAfter } from './container-life.ts';
import {
  type ContainerRole,
  containersOf,
  type EndedRun,
  type KnownContainer,
  newContainer,
  newKnowledge,
  type PodKnowledge,
} from './knowledge.ts';

/** Whether the status of a Pod says that it runs no more. */
export const isFinished = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

/**
 * What a node knows of a Pod that it took before it was restarted: what the status says. Times are whole seconds
 * there, and the back-off is the one of the number of restarts.
 * @param addresses for a Pod whose status has none yet
 * @param backOff first wait of a container that crashes again, in milliseconds
 */
export function recoveredKnowledge(
  pod: Pod,
  addresses: readonly string[],
  backOff: number,
  now: number,
): PodKnowledge {
  const { startTime, podIPs = [], phase, reason, message } = pod.status ?? {};
  const fresh = newKnowledge(pod, addresses, now);
  if (typeof startTime !== 'string') return fresh;
  const known = podIPs.flatMap(({ ip }) => (ip === undefined ? [] : [ip]));
  return {
    ...fresh,
    since: timeToMilliseconds(startTime),
    addresses: known.length > 0 ? known : addresses,
    containers: recoveredContainers(pod, backOff),
    killed: behaviorOf(pod).kill,
    ...((phase === 'Succeeded' || phase === 'Failed') && {
      end: { phase, reason, message, isRejected: false },
    }),
  };
}

function recoveredContainers(pod: Pod, backOff: number): KnownContainer[] {
  const {
    initContainerStatuses = [],
    containerStatuses = [],
    ephemeralContainerStatuses = [],
  } = pod.status ?? {};
  const listOf = (role: ContainerRole): readonly ContainerStatus[] => {
    if (role === 'main') return containerStatuses;
    return role === 'ephemeral' ? ephemeralContainerStatuses : initContainerStatuses;
  };
  return containersOf(pod).map(({ container, role }) => {
    const fresh = newContainer(container, role);
    const status = listOf(role).find(({ name }) => name === container.name);
    if (status === undefined) return fresh;
    const known = recoveredContainer(fresh, status);
    const restarts =
      known.ended !== undefined && restartsAfter(role, pod.spec?.restartPolicy, known.ended.exitCode);
    return restarts ? restartLater(known, backOff) : known;
  });
}

function recoveredContainer(
  fresh: KnownContainer,
  { state = {}, lastState = {}, restartCount = 0, image = '' }: ContainerStatus,
): KnownContainer {
  const known = { ...fresh, restarts: restartCount, failures: restartCount, image: image || fresh.image };
  if (state.running !== undefined) {
    const startedAt = timeOf(state.running.startedAt);
    const previous = endedRun(lastState.terminated, restartCount - 1);
    return { ...known, startedAt, backedOffAt: startedAt, previous };
  }
  // While it waits for its back-off, the last state is that of its last run.
  const ended =
    state.terminated === undefined
      ? endedRun(lastState.terminated, restartCount)
      : endedRun(state.terminated, restartCount);
  return {
    ...known,
    ended,
    backedOffAt: ended?.finishedAt ?? 0,
    previous: state.terminated === undefined ? undefined : endedRun(lastState.terminated, restartCount - 1),
  };
}

function endedRun(terminated: ContainerStateTerminated | undefined, run: number): EndedRun | undefined {
  if (terminated === undefined) return undefined;
  const { exitCode = 0, reason = '', message, startedAt, finishedAt } = terminated;
  return { run, startedAt: timeOf(startedAt), finishedAt: timeOf(finishedAt), exitCode, reason, message };
}

const timeOf = (text: string | null | undefined): number =>
  typeof text === 'string' ? timeToMilliseconds(text) : 0;
