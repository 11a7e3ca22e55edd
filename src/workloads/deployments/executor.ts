import type { Deployment, ReplicaSet } from '../../model/generated/apps-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Writer } from '../../reconcile/client.ts';
import type { EventRecorder, EventType } from '../../reconcile/events/recorder.ts';
import { controllerOf } from '../../reconcile/indexes.ts';
import { DEPLOYMENTS, REPLICA_SETS } from '../../reconcile/resources.ts';
import { ignoreSettledErrors, isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { ApiError } from '../../status/index.ts';
import type { Action } from './actions.ts';
import { newCondition, PROGRESS, PROGRESSING, withCondition } from './conditions.ts';
import { wanted } from './replica-sets.ts';
import { deadlineOf } from './status.ts';
import { isSameTemplate } from './template-hash.ts';

const SCALING = 'ScalingReplicaSet';

export interface ExecutorOptions {
  readonly client: Pick<Writer, 'get' | 'create' | 'update' | 'delete'>;
  readonly events: EventRecorder;
  readonly sets: Pick<IndexedSource, 'get'>;
  readonly now: () => number;
}

/** Does what was decided for a Deployment, and reports it. */
export class DeploymentExecutor {
  readonly #options: ExecutorOptions;

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  /** @throws ApiError */
  async execute(deployment: Deployment, action: Action): Promise<void> {
    const { client } = this.#options;
    switch (action.does) {
      case 'create':
        return this.#create(deployment, action.set, action.deployment);
      case 'update':
        await client.update(REPLICA_SETS, action.set);
        if (action.from !== undefined) this.#reportScale(deployment, action.set, action.from);
        return;
      case 'delete':
        return this.#delete(action.set);
      case 'status':
        return this.#writeStatus(action.deployment);
      case 'respecify':
        await client.update(DEPLOYMENTS, action.deployment);
        return;
      case 'report':
        this.#report(deployment, action.type, action.reason, action.message);
    }
  }

  async #create(deployment: Deployment, set: ReplicaSet, created: Deployment): Promise<void> {
    try {
      await this.#options.client.create(REPLICA_SETS, set);
    } catch (error) {
      if (!(error instanceof ApiError) || isNamespaceTerminating(error)) throw error;
      if (error.reason === 'AlreadyExists') return this.#nameIsTaken(deployment, set);
      return this.#creationFailed(deployment, set, error);
    }
    if (wanted(set) > 0) this.#reportScale(deployment, set, 0);
    await this.#writeStatus(created);
  }

  /**
   * The name belongs to a ReplicaSet of this template, which its event will make known, or to another object. Then the
   * collision changes the hash of the next attempt.
   */
  async #nameIsTaken(deployment: Deployment, { metadata, spec }: ReplicaSet): Promise<void> {
    const { namespace = '', name = '' } = metadata ?? {};
    const holder = (await this.#options.client.get(REPLICA_SETS, namespace, name)) as ReplicaSet | undefined;
    const isOwn = controllerOf(holder?.metadata ?? {})?.uid === deployment.metadata?.uid;
    if (isOwn && isSameTemplate(holder?.spec?.template, spec?.template)) return;
    const { status = {} } = deployment;
    await this.#writeStatus({
      ...deployment,
      status: { ...status, collisionCount: (status.collisionCount ?? 0) + 1 },
    });
  }

  /** @throws the error, once it is reported */
  async #creationFailed(deployment: Deployment, { metadata }: ReplicaSet, error: ApiError): Promise<void> {
    const message = `Failed to create new replica set "${metadata?.name}": ${error.message}`;
    if (deadlineOf(deployment) !== undefined) {
      const condition = newCondition(PROGRESSING, 'False', PROGRESS.failed, message, this.#options.now());
      const { status = {} } = deployment;
      const conditions = withCondition(status.conditions ?? [], condition);
      if (conditions !== status.conditions)
        await this.#writeStatus({ ...deployment, status: { ...status, conditions: [...conditions] } });
    }
    this.#report(deployment, 'Warning', PROGRESS.failed, message);
    throw error;
  }

  #delete({ metadata = {} }: ReplicaSet): Promise<void> {
    const { namespace = '', name = '', uid } = metadata;
    return ignoreSettledErrors(
      this.#options.client.delete(REPLICA_SETS, namespace, name, { preconditions: { uid } }),
    );
  }

  async #writeStatus(deployment: Deployment): Promise<void> {
    await this.#options.client.update(DEPLOYMENTS, deployment, { subresource: 'status' });
  }

  #reportScale(deployment: Deployment, set: ReplicaSet, from: number): void {
    const to = wanted(set);
    const direction = to > from ? 'up' : 'down';
    this.#report(
      deployment,
      'Normal',
      SCALING,
      `Scaled ${direction} replica set ${set.metadata?.name} from ${from} to ${to}`,
    );
  }

  #report(deployment: Deployment, type: EventType, reason: string, message: string): void {
    this.#options.events.record(DEPLOYMENTS, deployment, type, reason, message);
  }
}
