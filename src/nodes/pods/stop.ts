import type { Container, LifecycleHandler } from '../../model/generated/core-v1.ts';
import type { PodBehavior } from './behavior.ts';
import { runOfCommand } from './command.ts';
import { dueAt } from './delay.ts';
import type { KnownContainer } from './knowledge.ts';

const SECOND = 1000;
/** Exit codes of processes that were told to end (SIGTERM), and that were killed (SIGKILL). */
export const TERMINATED = 143;
export const KILLED = 137;

/** When and with which exit code a container ends that is told to stop. */
export interface Stop {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly exitCode: number;
}

export interface StopOptions {
  readonly behavior: PodBehavior;
  /** Milliseconds from the order to stop to the end, unless the Pod says another. */
  readonly stopDelay: number;
  /** When the order came. */
  readonly since: number;
  /** The grace period, in milliseconds. */
  readonly grace: number;
}

/**
 * When the containers of a Pod end that is told to stop: main containers together, then sidecars, the last one first.
 * A `preStop` hook takes its time before. At the end of the grace period the rest is killed.
 * @returns one entry for each container, in their order
 */
export function stopsOf(
  containers: readonly { readonly container: Container; readonly known: KnownContainer }[],
  options: StopOptions,
): Stop[] {
  const { since, grace } = options;
  const plain = since + Math.min(grace, stopDelayOf(options));
  const deadline = since + grace;
  const after = (from: number, hook: number): Stop => {
    if (hook === 0) return { at: from, exitCode: TERMINATED };
    const at = from + hook;
    return at <= deadline ? { at, exitCode: TERMINATED } : { at: deadline, exitCode: KILLED };
  };
  const stops = containers.map(({ container }) => after(plain, hookTime(container)));
  const endOf = ({ startedAt, ended }: KnownContainer, stop: Stop): number =>
    startedAt === undefined ? (ended?.finishedAt ?? plain) : stop.at;
  let previous = plain;
  for (const [index, { known }] of containers.entries())
    if (known.role !== 'sidecar') previous = Math.max(previous, endOf(known, stops[index]!));
  for (let index = containers.length - 1; index >= 0; index -= 1) {
    const { container, known } = containers[index]!;
    if (known.role !== 'sidecar') continue;
    stops[index] = after(previous, hookTime(container));
    previous = Math.max(previous, endOf(known, stops[index]!));
  }
  return stops;
}

function stopDelayOf({ behavior, stopDelay, since, grace }: StopOptions): number {
  if (behavior.stopDelay === undefined) return stopDelay;
  return behavior.stopDelay === 'grace' ? grace : Math.max(0, dueAt(behavior.stopDelay, since) - since);
}

/** How long the `preStop` hook of a container takes, in milliseconds. Only what is plain takes time. */
function hookTime({ lifecycle }: Container): number {
  const hook: LifecycleHandler | undefined = lifecycle?.preStop;
  if (hook?.sleep !== undefined) return (hook.sleep.seconds ?? 0) * SECOND;
  const { command } = hook?.exec ?? {};
  return command === undefined ? 0 : (runOfCommand({ command })?.milliseconds ?? 0);
}
