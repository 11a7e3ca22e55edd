import type {
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import { formatMilliseconds } from '../../time/duration.ts';
import type { PodBehavior } from './behavior.ts';
import { conditionsOf, isReady } from './conditions.ts';
import { imageId } from './image.ts';
import type { ContainerRole, EndedRun, KnownContainer, PodKnowledge } from './knowledge.ts';

/** What the status of every Pod of a node says. */
export interface StatusSettings {
  /** The addresses of the node, the first one of the primary family. */
  readonly hostAddresses: readonly string[];
  /** Statuses and their conditions say for which generation of the Pod they are, as from 1.34 on. */
  readonly observesGeneration: boolean;
}

export interface StatusOptions {
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly behavior: PodBehavior;
  readonly settings: StatusSettings;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const RUNTIME = 'simulated';

/**
 * The members of a Pod's status that a kubelet writes. `lastTransitionTime` of a condition moves only with its status.
 * Conditions of other types are not in it.
 */
export function statusOf(options: StatusOptions): PodStatus {
  const { known, settings } = options;
  const { end, addresses } = known;
  if (end?.isRejected === true)
    return {
      ...observedGeneration(options),
      phase: end.phase,
      ...reasonOf(known),
      startTime: formatTime(known.since),
    };
  const phase = phaseOf(known);
  const statuses = (of: (role: ContainerRole) => boolean): ContainerStatus[] =>
    known.containers.filter(({ role }) => of(role)).map((one) => containerStatusOf(one, options));
  const init = statuses((role) => role === 'init' || role === 'sidecar');
  const ephemeral = statuses((role) => role === 'ephemeral');
  const [hostIP] = settings.hostAddresses;
  const [podIP] = addresses;
  const hasAddress = known.containers.some((one) => one.role === 'main' && hasBegun(one));
  return {
    ...observedGeneration(options),
    phase,
    ...reasonOf(known),
    startTime: formatTime(known.since),
    conditions: timedConditions(options, phase),
    hostIP,
    hostIPs: settings.hostAddresses.map((ip) => ({ ip })),
    ...(hasAddress && { podIP, podIPs: addresses.map((ip) => ({ ip })) }),
    ...(init.length > 0 && { initContainerStatuses: init }),
    containerStatuses: statuses((role) => role === 'main'),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
  };
}

const observedGeneration = ({ pod, settings }: StatusOptions): { observedGeneration?: number } =>
  settings.observesGeneration ? { observedGeneration: pod.metadata?.generation ?? 0 } : {};

/** `Pending` until a main container has begun; `Running` until all have ended for good. */
export function phaseOf({ end, containers }: PodKnowledge): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
  if (end !== undefined) return end.phase;
  return containers.some((one) => one.role === 'main' && hasBegun(one)) ? 'Running' : 'Pending';
}

const hasBegun = ({ startedAt, ended }: KnownContainer): boolean => (startedAt ?? ended) !== undefined;

const reasonOf = ({ end }: PodKnowledge): Pick<PodStatus, 'reason' | 'message'> => ({
  ...(end?.reason !== undefined && { reason: end.reason }),
  ...(end?.message !== undefined && { message: end.message }),
});

function timedConditions(options: StatusOptions, phase: string): PodCondition[] {
  const { pod, now } = options;
  const present = pod.status?.conditions ?? [];
  return conditionsOf({ ...options, phase }).map((wanted) => {
    const before = present.find(({ type }) => type === wanted.type);
    return {
      ...wanted,
      ...observedGeneration(options),
      lastProbeTime: null,
      lastTransitionTime:
        before?.status === wanted.status ? (before.lastTransitionTime ?? null) : formatTime(now),
    };
  });
}

function containerStatusOf(known: KnownContainer, options: StatusOptions): ContainerStatus {
  const { pod, known: pods, behavior, now } = options;
  const { name, image, role, restarts, startedAt, ended } = known;
  const uid = pod.metadata?.uid ?? '';
  const before = presentStatus(pod, role, name);
  const hasContainer = startedAt !== undefined || ended !== undefined;
  return {
    name,
    state: stateOf(known, options),
    lastState: lastStateOf(known, uid),
    ready: role === 'init' ? ended?.exitCode === 0 : isReady(known, behavior, pods.since, now),
    restartCount: restarts,
    image,
    imageID: hasContainer ? (before?.image === image && before.imageID) || imageId(image) : '',
    ...(hasContainer && { containerID: containerId(uid, name, restarts) }),
    ...(role !== 'ephemeral' && { started: role !== 'init' && startedAt !== undefined }),
  };
}

/** What the status of the Pod says of a container at present. */
function presentStatus({ status = {} }: Pod, role: ContainerRole, name: string): ContainerStatus | undefined {
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = status;
  const isMain = role === 'main';
  const isEphemeral = role === 'ephemeral';
  const list = isMain ? containerStatuses : isEphemeral ? ephemeralContainerStatuses : initContainerStatuses;
  return list?.find((one) => one.name === name);
}

/** Each run of a container is another container of the runtime. */
const containerId = (uid: string, container: string, run: number): string =>
  `${RUNTIME}://${uid}/${container}/${run}`;

function stateOf(known: KnownContainer, { pod, behavior }: StatusOptions): ContainerState {
  const { startedAt, ended, name, backOff, image } = known;
  if (startedAt !== undefined) return { running: { startedAt: formatTime(startedAt) } };
  const { name: podName, namespace, uid } = pod.metadata ?? {};
  if (ended !== undefined && backOff > 0) {
    const wait = formatMilliseconds(backOff);
    const message = `back-off ${wait} restarting failed container=${name} pod=${podName}_${namespace}(${uid})`;
    return { waiting: { reason: 'CrashLoopBackOff', message } };
  }
  if (ended !== undefined) return { terminated: terminatedOf(ended, name, uid ?? '') };
  if (behavior.start === 'image-error')
    return {
      waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image ${JSON.stringify(image)}` },
    };
  const isAfterInit = (pod.spec?.initContainers ?? []).length > 0;
  return { waiting: { reason: isAfterInit ? 'PodInitializing' : 'ContainerCreating' } };
}

function lastStateOf({ name, ended, backOff, previous }: KnownContainer, uid: string): ContainerState {
  const last = ended !== undefined && backOff > 0 ? ended : previous;
  return last === undefined ? {} : { terminated: terminatedOf(last, name, uid) };
}

const terminatedOf = (
  { run, startedAt, finishedAt, exitCode, reason, message }: EndedRun,
  container: string,
  uid: string,
): ContainerStateTerminated => ({
  exitCode,
  reason,
  ...(message !== undefined && { message }),
  startedAt: formatTime(startedAt),
  finishedAt: formatTime(finishedAt),
  containerID: containerId(uid, container, run),
});
