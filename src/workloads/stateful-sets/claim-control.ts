import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import type { Client } from '../../reconcile/client.ts';
import { isOutcomeUnknown } from '../../reconcile/own-writes.ts';
import { CLAIMS } from '../../reconcile/resources.ts';
import { ApiError } from '../../status/index.ts';
import { changedOwners, claimNames, type FindClaim, hasOtherController, newClaims } from './claims.ts';
import { ordinalOf } from './identity.ts';
import type { SetEvents } from './set-events.ts';

export interface ClaimControlOptions {
  readonly client: Pick<Client, 'create' | 'update'>;
  readonly events: SetEvents;
  /** With the own writes. */
  readonly findClaim: FindClaim;
}

/** Creates the claims of the Pods of a set, and says who owns them. */
export class ClaimControl {
  readonly #set: StatefulSet;
  readonly #options: ClaimControlOptions;

  constructor(set: StatefulSet, options: ClaimControlOptions) {
    this.#set = set;
    this.#options = options;
  }

  /** Creates the claims that a Pod lacks. @throws Error for all that could not be created, and those being deleted */
  async create(pod: Pod): Promise<void> {
    const failures: string[] = [];
    const causes: unknown[] = [];
    for (const claim of newClaims(this.#set, ordinalOf(pod))) {
      const { name = '' } = claim.metadata ?? {};
      const present = this.#options.findClaim(name);
      if (present?.metadata?.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
      if (present !== undefined) continue;
      const cause = await this.#createOne(pod, claim, name);
      if (cause === undefined) continue;
      causes.push(cause);
      failures.push(`failed to create PVC ${name}: ${(cause as Error).message}`);
    }
    if (failures.length === 0) return;
    throw new Error(failures.length === 1 ? failures[0] : `[${failures.join(', ')}]`, {
      cause: causes.find(isOutcomeUnknown) ?? causes[0],
    });
  }

  /** @returns why it failed */
  async #createOne(pod: Pod, claim: PersistentVolumeClaim, name: string): Promise<unknown> {
    const { client, events } = this.#options;
    try {
      await client.create(CLAIMS, claim);
      events.claim(pod, name);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) events.claim(pod, name, error);
      return error;
    }
  }

  /** Gives the claims of a Pod the owners that the retention policy says. @throws Error */
  async setOwners(pod: Pod): Promise<void> {
    const set = this.#set;
    for (const name of claimNames(set, ordinalOf(pod))) {
      const claim = this.#options.findClaim(name);
      if (claim === undefined) continue;
      if (hasOtherController(set, pod, claim)) this.#options.events.conflict(name);
      const ownerReferences = changedOwners(set, pod, claim);
      if (ownerReferences === undefined) continue;
      const metadata = { ...claim.metadata, ownerReferences };
      try {
        await this.#options.client.update(CLAIMS, { ...claim, metadata });
      } catch (cause) {
        const { message } = cause as Error;
        throw new Error(`could not update claim ${name} for delete policy ownerRefs: ${message}`, { cause });
      }
    }
  }
}
