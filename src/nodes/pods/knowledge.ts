import type { Container, EphemeralContainer, Pod } from '../../model/generated/core-v1.ts';

/** The role of a container: `sidecar` is an init container that runs beside the main ones. */
export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** How a run of a container ended. Times are milliseconds of the cluster. */
export interface EndedRun {
  /** How many runs the container had before. */
  readonly run: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string | undefined;
}

/** What a node knows of one container of a Pod. */
export interface KnownContainer {
  readonly name: string;
  readonly role: ContainerRole;
  readonly restarts: number;
  /** When the present run began. */
  readonly startedAt: number | undefined;
  /** The image of the present run. */
  readonly image: string;
  /** How the last run ended, while there is no present one. */
  readonly ended: EndedRun | undefined;
  /** How the run before that ended. */
  readonly previous: EndedRun | undefined;
  /** When the next run begins, if there is one. */
  readonly restartsAt: number | undefined;
  /** The wait before the next run, in milliseconds; 0 for the first restart, which does not wait. */
  readonly backOff: number;
  /** Runs that ended since the back-off was last reset. */
  readonly failures: number;
  /** When the back-off last changed. */
  readonly backedOffAt: number;
}

/** Why a Pod runs no more. */
export interface PodEnd {
  readonly phase: 'Succeeded' | 'Failed';
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** The node refused the Pod: its status says nothing of containers. */
  readonly isRejected: boolean;
}

/** What a node knows of a Pod that its status does not say, or not exactly enough. Immutable. */
export interface PodKnowledge {
  /** When the node took the Pod. */
  readonly since: number;
  readonly addresses: readonly string[];
  readonly containers: readonly KnownContainer[];
  /** When the node saw the mark of its deletion. */
  readonly stoppingSince: number | undefined;
  /** When the node first saw the wish for a failure of all containers. */
  readonly failingSince: number | undefined;
  /** The last wish to kill its containers that was followed. */
  readonly killed: string | undefined;
  readonly end: PodEnd | undefined;
}

/** Knowledge of a Pod that a node has just taken. @param addresses of the Pod, the first one of the primary family */
export const newKnowledge = (pod: Pod, addresses: readonly string[], now: number): PodKnowledge => ({
  since: now,
  addresses,
  containers: containersOf(pod).map(({ container, role }) => newContainer(container, role)),
  stoppingSince: undefined,
  failingSince: undefined,
  killed: undefined,
  end: undefined,
});

export const newContainer = (
  container: Container | EphemeralContainer,
  role: ContainerRole,
): KnownContainer => ({
  name: container.name ?? '',
  role,
  restarts: 0,
  startedAt: undefined,
  image: container.image ?? '',
  ended: undefined,
  previous: undefined,
  restartsAt: undefined,
  backOff: 0,
  failures: 0,
  backedOffAt: 0,
});

/** The containers of a Pod with their roles: init containers and sidecars, main ones, ephemeral ones. */
export function containersOf({ spec = {} }: Pod): { container: Container; role: ContainerRole }[] {
  return [
    ...(spec.initContainers ?? []).map((container) => ({ container, role: initRole(container) })),
    ...(spec.containers ?? []).map((container) => ({ container, role: 'main' as const })),
    ...(spec.ephemeralContainers ?? []).map((container) => ({ container, role: 'ephemeral' as const })),
  ];
}

const initRole = ({ restartPolicy }: Container): ContainerRole =>
  restartPolicy === 'Always' ? 'sidecar' : 'init';
