import type { StatefulSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { Client } from '../../reconcile/client.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { PODS } from '../../reconcile/resources.ts';
import { slowStart } from '../../reconcile/slow-start.ts';
import { ApiError } from '../../status/index.ts';
import { ClaimControl } from './claim-control.ts';
import type { FindClaim } from './claims.ts';
import { isOrdered } from './identity.ts';
import { hasIdentity, hasStorage, withIdentity, withStorage } from './new-pod.ts';
import type { PodAction, PodTask, Rounds } from './plan.ts';
import { SetEvents, type Verb } from './set-events.ts';

export interface ExecutorOptions {
  readonly client: Pick<Client, 'create' | 'update' | 'delete'>;
  readonly events: EventRecorder;
  /** With the own writes. */
  readonly findClaim: FindClaim;
}

/** Does what was planned for the Pods of one set, and reports it. */
export class SetExecutor {
  readonly #set: StatefulSet;
  readonly #client: ExecutorOptions['client'];
  readonly #events: SetEvents;
  readonly #claims: ClaimControl;

  constructor(set: StatefulSet, { client, events, findClaim }: ExecutorOptions) {
    this.#set = set;
    this.#client = client;
    this.#events = new SetEvents(set, events);
    this.#claims = new ClaimControl(set, { client, events: this.#events, findClaim });
  }

  /** @returns errors of the tasks that failed; the rounds after them were not begun */
  async run(rounds: Rounds): Promise<readonly unknown[]> {
    for (const tasks of rounds) {
      const errors = isOrdered(this.#set)
        ? await this.#oneByOne(tasks)
        : (await slowStart(tasks.length, (index) => this.#do(tasks[index]!))).errors;
      if (errors.length > 0) return errors;
    }
    return [];
  }

  async #oneByOne(tasks: readonly PodTask[]): Promise<readonly unknown[]> {
    try {
      for (const task of tasks) await this.#do(task);
      return [];
    } catch (error) {
      return [error];
    }
  }

  async #do(task: PodTask): Promise<void> {
    for (const action of task) await this.#act(action);
  }

  #act({ does, pod }: PodAction): Promise<void> {
    switch (does) {
      case 'create':
        return this.#create(pod);
      case 'complete':
        return this.#complete(pod);
      case 'update':
        return this.#update(pod);
      case 'own':
        return this.#claims.setOwners(pod);
      case 'delete':
        return this.#delete(pod);
    }
  }

  /** The claims of a Pod that is refused get their owners, too. */
  async #create(pod: Pod): Promise<void> {
    await this.#reporting('create', pod, () => this.#claims.create(pod));
    let created = pod;
    let failure: unknown;
    try {
      created = (await this.#client.create(PODS, pod)) as Pod;
    } catch (error) {
      // The Pod of this name belongs to somebody else. It may go.
      if (error instanceof ApiError && error.reason === 'AlreadyExists') throw error;
      failure = error;
    }
    await this.#reporting('update', pod, () => this.#claims.setOwners(created));
    this.#events.pod('create', pod, failure);
    if (failure !== undefined) throw failure;
  }

  async #complete(pod: Pod): Promise<void> {
    await this.#claims.create(pod);
    await this.#reporting('update', pod, () => this.#claims.setOwners(pod));
  }

  async #update(pod: Pod): Promise<void> {
    await this.#reporting('update', pod, async () => {
      const identified = hasIdentity(this.#set, pod) ? pod : withIdentity(this.#set, pod);
      const isStored = hasStorage(this.#set, identified);
      if (!isStored) await this.#claims.create(pod);
      await this.#claims.setOwners(pod);
      await this.#client.update(PODS, isStored ? identified : withStorage(this.#set, identified));
    });
    this.#events.pod('update', pod);
  }

  /** Deletes the Pod that was seen, no other one of its name; one that has gone is not reported. @throws ApiError */
  async #delete(pod: Pod): Promise<void> {
    const { namespace = '', name = '', uid } = pod.metadata ?? {};
    try {
      await this.#client.delete(PODS, namespace, name, { preconditions: { uid } });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
      this.#events.pod('delete', pod, error);
      throw error;
    }
    this.#events.pod('delete', pod);
  }

  async #reporting(verb: Verb, pod: Pod, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#events.pod(verb, pod, error);
      throw error;
    }
  }
}
