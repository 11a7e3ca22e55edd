import type { ContainerRole, EndedRun, KnownContainer } from './knowledge.ts';

/** The longest back-off, in milliseconds. */
const LONGEST_BACK_OFF = 300_000;
/** A container that ran for so long without a change of its back-off begins again without one. */
const RESET = 2 * LONGEST_BACK_OFF;
/** The first restart does not wait: the node only has to notice the end. */
const FIRST_RESTART = 20;

/** Begins the first run of a container, or the next one. */
export const begin = (known: KnownContainer, image: string, now: number): KnownContainer => ({
  ...known,
  image,
  startedAt: now,
  restarts: known.ended === undefined ? known.restarts : known.restarts + 1,
  ended: undefined,
  previous: known.ended ?? known.previous,
  restartsAt: undefined,
  backOff: 0,
  backedOffAt: known.ended === undefined ? known.backedOffAt : now,
});

/** Ends the present run of a container. */
export const end = (
  known: KnownContainer,
  { exitCode, reason, message }: Pick<EndedRun, 'exitCode' | 'reason' | 'message'>,
  now: number,
): KnownContainer => ({
  ...known,
  startedAt: undefined,
  ended: {
    run: known.restarts,
    startedAt: known.startedAt ?? now,
    finishedAt: now,
    exitCode,
    reason,
    message,
  },
});

/**
 * Sets when a container that has ended begins again: the first restart at once, the k-th after `base`·2^(k-2)
 * milliseconds, at most five minutes. Ten minutes after the last change of the back-off it begins anew.
 */
export function restartLater(known: KnownContainer, base: number): KnownContainer {
  const { finishedAt } = known.ended!;
  const failures = finishedAt - known.backedOffAt > RESET ? 0 : known.failures;
  const backOff = failures === 0 ? 0 : Math.min(base * 2 ** (failures - 1), LONGEST_BACK_OFF);
  return {
    ...known,
    failures: failures + 1,
    backOff,
    restartsAt: finishedAt + (failures === 0 ? FIRST_RESTART : backOff),
  };
}

/** A container that will not begin again. */
export const withoutRestart = (known: KnownContainer): KnownContainer =>
  known.restartsAt === undefined ? known : { ...known, restartsAt: undefined, backOff: 0 };

/**
 * Whether a container begins again after its end.
 * @param policy restart policy of the Pod
 */
export function restartsAfter(role: ContainerRole, policy: string | undefined, exitCode: number): boolean {
  switch (role) {
    case 'sidecar':
      return true;
    case 'ephemeral':
      return false;
    case 'init':
      return exitCode !== 0 && policy !== 'Never';
    default:
      return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
  }
}
