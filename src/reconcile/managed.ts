/** The annotation with which whoever owns an object keeps the server's controllers from it. */
const MANAGE_ANNOTATION = 'sim.binnacle.dev/manage';

/**
 * Whether controllers of workloads, the scheduler and simulated nodes act on an object: not with the value `false`.
 * Nothing of theirs is taken back.
 */
export const isManaged = ({
  annotations,
}: {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}): boolean =>
  annotations === undefined ||
  !Object.hasOwn(annotations, MANAGE_ANNOTATION) ||
  annotations[MANAGE_ANNOTATION] !== 'false';
