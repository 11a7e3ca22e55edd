import type { Container, Pod } from '../../model/generated/core-v1.ts';
import type { AskedFailure, PodBehavior } from './behavior.ts';
import { type Run, runOfCommand } from './command.ts';
import { type Delay, dueAt } from './delay.ts';
import { isPause } from './image.ts';
import type { KnownContainer } from './knowledge.ts';

/** How the present run of a container ends. */
export interface RunEnd {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string | undefined;
}

const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

/**
 * When and how the present run of a container ends: by the annotations of the Pod, by the command of the container, or
 * because it belongs to a Job and has no command. What ends main containers by annotation is read again at each step,
 * so that it can be added to a running Pod.
 * @param completeDelay milliseconds after which containers of Jobs end that have no command
 * @returns undefined if it runs until it is stopped
 */
export function endOfRun(
  pod: Pod,
  behavior: PodBehavior,
  container: Container,
  known: KnownContainer,
  completeDelay: number,
): RunEnd | undefined {
  const from = known.startedAt!;
  const failure = failureOf(behavior, known);
  if (failure !== undefined) return { ...failure, at: dueAt(failure.delay, from) };
  const own = runOfCommand(container);
  switch (known.role) {
    case 'init':
      return ended(from, own ?? { milliseconds: 0, exitCode: 0 });
    case 'main':
      return endOfMain(pod, behavior, container, known, own, completeDelay);
    default:
      return own === undefined ? undefined : ended(from, own);
  }
}

/** The state of a container that has ended by itself. */
export const reasonOf = (exitCode: number): string => (exitCode === 0 ? 'Completed' : 'Error');

function failureOf(behavior: PodBehavior, { name, role }: KnownContainer): AskedFailure | undefined {
  const failure =
    role === 'main' ? behavior.runFailure : role === 'init' ? behavior.initRunFailure : undefined;
  return failure?.container === name ? failure : undefined;
}

const ended = (from: number, { milliseconds, exitCode }: Run): RunEnd => ({
  at: from + milliseconds,
  exitCode,
  reason: reasonOf(exitCode),
  message: undefined,
});

function endOfMain(
  pod: Pod,
  { end }: PodBehavior,
  container: Container,
  known: KnownContainer,
  own: Run | undefined,
  completeDelay: number,
): RunEnd | undefined {
  const isComplete = own === undefined && end.after === undefined && isOfJobWithoutCommand(pod, container);
  const exitCode =
    askedExitCode(pod, end, known.restarts) ??
    own?.exitCode ??
    (end.after !== undefined || isComplete ? 0 : 'run');
  if (exitCode === 'run') return undefined;
  const delay: Delay =
    end.after ??
    (own === undefined ? (end.complete ?? { after: completeDelay }) : { after: own.milliseconds });
  return { at: dueAt(delay, known.startedAt!), exitCode, reason: reasonOf(exitCode), message: undefined };
}

function askedExitCode(
  { metadata }: Pod,
  { byRestart, byIndex, exitCode }: PodBehavior['end'],
  restarts: number,
): number | 'run' | undefined {
  if (byRestart !== undefined) return byRestart[Math.min(restarts, byRestart.length - 1)];
  const index = metadata?.annotations?.[COMPLETION_INDEX];
  return (index === undefined ? undefined : byIndex?.get(index)) ?? exitCode;
}

const isOfJobWithoutCommand = ({ metadata }: Pod, { command = [], args = [], image }: Container): boolean =>
  command.length + args.length === 0 &&
  !isPause(image ?? '') &&
  (metadata?.ownerReferences ?? []).some(({ kind }) => kind === 'Job');
