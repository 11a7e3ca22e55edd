import type { Pod, PodStatus } from '../../model/generated/core-v1.ts';
import type { PodKnowledge } from './knowledge.ts';
import { PodRun } from './pod-run.ts';
import { type StatusSettings, statusOf } from './status.ts';

/** Times of the simulation, in milliseconds. */
export interface PodTimes {
  /** From the binding of a Pod to its start. */
  readonly readyDelay: number;
  /** From the order to stop to the end of the containers. */
  readonly stopDelay: number;
  /** The first wait of a container that crashes again. */
  readonly restartBackOff: number;
  /** From the start of a container of a Job that has no command to its end. */
  readonly completeDelay: number;
}

export interface AdvanceOptions {
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly times: PodTimes;
  /** Pods with one of these images do not start. */
  readonly missingImages: ReadonlySet<string>;
  readonly status: StatusSettings;
  /** Milliseconds since 1970, of the cluster. */
  readonly now: number;
}

/** Something that a kubelet reports in an event. */
export interface Occurrence {
  readonly what: 'created' | 'started' | 'killing' | 'back-off' | 'image-back-off' | 'definition-changed';
  readonly container: string;
  readonly image: string;
}

/** What a node does about a Pod. */
export interface Advance {
  readonly known: PodKnowledge;
  /** The status that the Pod has to have; undefined if the node says nothing about it yet. */
  readonly status: PodStatus | undefined;
  /** The Pod runs no more and is to be removed once its status is written. */
  readonly isRemoved: boolean;
  /** When there is more to do, in milliseconds since 1970; undefined until the Pod changes. */
  readonly due: number | undefined;
  readonly occurrences: readonly Occurrence[];
  /** What the annotations of the Pod say that cannot be followed. */
  readonly problems: readonly string[];
}

/**
 * What a node knows and says of a Pod at a time: everything happens that was due. Called whenever the Pod changes and
 * when something is due, as often as one likes.
 */
export function advance({ pod, known, times, missingImages, status, now }: AdvanceOptions): Advance {
  const run = new PodRun({ pod, known, times, missingImages, now });
  run.advance();
  const next = run.knowledge;
  return {
    known: next,
    status: run.isSilent
      ? undefined
      : statusOf({ pod, known: next, behavior: run.behavior, settings: status, now }),
    isRemoved: run.isRemoved,
    due: run.due,
    occurrences: run.occurrences,
    problems: run.behavior.problems,
  };
}
