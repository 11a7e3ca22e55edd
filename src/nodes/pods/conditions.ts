import type { Pod, PodCondition } from '../../model/generated/core-v1.ts';
import type { PodBehavior } from './behavior.ts';
import type { KnownContainer, PodKnowledge } from './knowledge.ts';

/** The conditions that a kubelet writes. */
export type KubeletCondition =
  | 'PodReadyToStartContainers'
  | 'Initialized'
  | 'Ready'
  | 'ContainersReady'
  | 'PodScheduled';

/** A condition without its times. */
export interface WantedCondition {
  readonly type: KubeletCondition;
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

export interface ConditionOptions {
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly behavior: PodBehavior;
  readonly phase: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Outcome = Omit<WantedCondition, 'type'>;
const TRUE: Outcome = { status: 'True' };
const FALSE: Outcome = { status: 'False' };

/** The conditions of a Pod, with the reasons and texts of a kubelet. */
export function conditionsOf(options: ConditionOptions): WantedCondition[] {
  const { known } = options;
  const containersReady = containersReadyOf(options);
  return [
    { type: 'PodReadyToStartContainers', ...(known.end === undefined ? TRUE : FALSE) },
    { type: 'Initialized', ...initializedOf(options) },
    { type: 'Ready', ...readyOf(options.pod, containersReady) },
    { type: 'ContainersReady', ...containersReady },
    { type: 'PodScheduled', ...TRUE },
  ];
}

/** Whether a running container is ready at a time. Probes pass, unless an annotation says otherwise. */
export function isReady(
  known: KnownContainer,
  { isReady: ready, readyDelay, flapping }: PodBehavior,
  since: number,
  now: number,
): boolean {
  if (known.startedAt === undefined || known.role === 'init' || known.role === 'ephemeral') return false;
  if (!ready || readyDelay === 'never') return false;
  return flapping === undefined || Math.floor((now - since) / flapping) % 2 === 0;
}

function initializedOf({ known, phase }: ConditionOptions): Outcome {
  const { containers, end } = known;
  const hasStarted = containers.some(
    ({ role, startedAt, ended, previous }) =>
      role === 'main' && (startedAt ?? ended ?? previous) !== undefined,
  );
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  // A Pod whose main containers have begun was initialized, whatever its sidecars do since.
  if (hasStarted) return TRUE;
  const incomplete = containers.filter(
    ({ role, startedAt, ended }) =>
      (role === 'init' && ended?.exitCode !== 0) ||
      (role === 'sidecar' && startedAt === undefined && end === undefined),
  );
  if (incomplete.length === 0) return TRUE;
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${namesOf(incomplete)}]`,
  };
}

function containersReadyOf({ known, behavior, phase, now }: ConditionOptions): Outcome {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = known.containers.filter(
    (one) => (one.role === 'sidecar' || one.role === 'main') && !isReady(one, behavior, known.since, now),
  );
  if (unready.length === 0) return TRUE;
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${namesOf(unready)}]`,
  };
}

/** Readiness gates count once all containers are ready. */
function readyOf(pod: Pod, containersReady: Outcome): Outcome {
  if (containersReady.status === 'False') return containersReady;
  const conditions = pod.status?.conditions ?? [];
  const messages: string[] = [];
  for (const { conditionType = '' } of pod.spec?.readinessGates ?? []) {
    const message = gateMessage(conditionType, conditions);
    if (message !== undefined) messages.push(message);
  }
  if (messages.length === 0) return TRUE;
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function gateMessage(gate: string, conditions: readonly PodCondition[]): string | undefined {
  const found = conditions.find(({ type }) => type === gate);
  const quoted = JSON.stringify(gate);
  if (found === undefined) return `corresponding condition of pod readiness gate ${quoted} does not exist.`;
  return found.status === 'True'
    ? undefined
    : `the status of pod readiness gate ${quoted} is not "True", but ${found.status ?? ''}`;
}

const namesOf = (containers: readonly KnownContainer[]): string =>
  containers.map(({ name }) => name).join(' ');
