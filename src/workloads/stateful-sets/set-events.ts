import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { STATEFUL_SETS } from '../../reconcile/resources.ts';

/** What is done to a Pod. */
export type Verb = 'create' | 'update' | 'delete';

/** Reports what is done for a set, as events of it. */
export class SetEvents {
  readonly #set: StatefulSet;
  readonly #events: EventRecorder;

  constructor(set: StatefulSet, events: EventRecorder) {
    this.#set = set;
    this.#events = events;
  }

  /** @param error why it failed; it succeeded without one */
  pod(verb: Verb, { metadata }: Pod, error?: unknown): void {
    const subject = `${verb} Pod ${metadata?.name} in StatefulSet ${this.#set.metadata?.name}`;
    this.#record(verb, error, `${subject} successful`, `${subject} failed error: `);
  }

  /** A claim of a Pod was created, or could not be. */
  claim({ metadata }: Pod, claim: string, error?: unknown): void {
    const place = `Pod ${metadata?.name} in StatefulSet ${this.#set.metadata?.name}`;
    this.#record(
      'create',
      error,
      `create Claim ${claim} ${place} success`,
      `create Claim ${claim} for ${place} failed error: `,
    );
  }

  /** Something else controls a claim that the set is to delete. */
  conflict(claim: string): void {
    this.#events.record(
      STATEFUL_SETS,
      this.#set,
      'Warning',
      'ConflictingController',
      `PersistentVolumeClaim ${claim} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`,
    );
  }

  #record(verb: Verb, error: unknown, success: string, failure: string): void {
    const what = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
    if (error === undefined)
      this.#events.record(STATEFUL_SETS, this.#set, 'Normal', `Successful${what}`, success);
    else {
      const message = `${failure}${(error as Error).message}`;
      this.#events.record(STATEFUL_SETS, this.#set, 'Warning', `Failed${what}`, message);
    }
  }
}
