import type { Pod } from '../../model/generated/core-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { claim } from '../../reconcile/claims.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { isSame } from '../../reconcile/equality.ts';
import { BY_CONTROLLER, controllerOf } from '../../reconcile/indexes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { isOutcomeUnknown, OwnWrites } from '../../reconcile/own-writes.ts';
import { candidates, controlled, followOwned } from '../../reconcile/owned.ts';
import { type Owner, PodControl, podFromTemplate } from '../../reconcile/pods/pod-control.ts';
import { isActive, isTerminating, untilAvailable } from '../../reconcile/pods/pod-state.ts';
import { PODS } from '../../reconcile/resources.ts';
import { isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { slowStart } from '../../reconcile/slow-start.ts';
import { updateStatus } from '../../reconcile/status-update.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import type { ReplicatedKind, ReplicatedObject } from './kinds.ts';
import { planReplicas } from './plan.ts';
import { type ReplicaFailure, replicaStatus } from './status.ts';

export interface ReplicaSettings {
  /** Objects at the same time. */
  readonly workers: number;
  /** Whether statuses count the Pods that terminate. */
  readonly countsTerminating: boolean;
}

/** Keeps the number of Pods of each ReplicaSet, or of each ReplicationController. */
export function replicaSetController(
  parts: NamedContext,
  kind: ReplicatedKind,
  { workers, countsTerminating }: ReplicaSettings,
): Controller {
  const objects = parts.objects(kind.resource);
  const pods = parts.objects(PODS);
  const writes = new OwnWrites([pods]);
  const queue: WorkQueue = workloadQueue(
    parts,
    (key) => writes.follow(key, () => replicator.reconcile(key)),
    workers,
  );
  const client = parts.client(parts.user);
  const control = new PodControl(client, parts.events(kind.component));
  const replicator = new Replicator({
    kind,
    objects,
    pods,
    client,
    control,
    queue,
    countsTerminating,
    now: parts.clusterClock.now,
  });
  objects.onChange((key, object) => {
    if (object !== undefined) queue.add(key);
  });
  followOwned({
    owners: objects,
    kind: kind.resource.kind,
    owned: pods,
    selects: ({ object }, metadata) => selects(kind, object, metadata),
    changed: (key) => queue.add(key),
  });
  return { name: parts.name, sources: [objects, pods], queue };
}

const selects = (kind: ReplicatedKind, object: ReplicatedObject, { labels }: ObjectMeta): boolean =>
  labelSelectorMatches(kind.read(object).selector, labels);

interface ReplicatorOptions {
  readonly kind: ReplicatedKind;
  readonly objects: IndexedSource;
  readonly pods: IndexedSource;
  readonly client: Client;
  readonly control: PodControl;
  readonly queue: Pick<WorkQueue, 'addAfter'>;
  readonly countsTerminating: boolean;
  readonly now: () => number;
}

class Replicator {
  readonly #options: ReplicatorOptions;

  constructor(options: ReplicatorOptions) {
    this.#options = options;
  }

  async reconcile(key: string): Promise<WorkResult> {
    const { kind, objects, queue, now } = this.#options;
    const object = objects.get(key) as ReplicatedObject | undefined;
    if (object === undefined || !isManaged(object.metadata ?? {})) return 'done';
    const owner: Owner = { resource: kind.resource, object };
    const owned = await this.#claim(owner);
    const isGoing = object.metadata?.deletionTimestamp !== undefined;
    const errors = isGoing ? [] : await this.#changeNumber(owner, owned);
    // The number may have changed: the sources know the own writes.
    const present = this.#controlled(object, isActive);
    const failure = failureOf(errors, present.length < kind.read(object).replicas);
    await this.#writeStatus(owner, present, failure);
    if (failure !== undefined) throw errors.find(isOutcomeUnknown) ?? errors[0];
    const wait = untilAvailable(present, kind.read(object).minReadySeconds, now());
    if (wait !== undefined) queue.addAfter(key, wait);
    return 'done';
  }

  async #claim(owner: Owner): Promise<readonly Pod[]> {
    const { kind, pods, client } = this.#options;
    const found = Array.from(candidates(pods, owner.object), ({ object }) => object as Pod).filter(isActive);
    return claim(
      { client, owner, resource: PODS, selects: (metadata) => selects(kind, owner.object, metadata) },
      found,
    );
  }

  /** @returns errors of the writes that failed */
  async #changeNumber(owner: Owner, pods: readonly Pod[]): Promise<readonly unknown[]> {
    const { kind, control, now } = this.#options;
    const { replicas, template } = kind.read(owner.object);
    const plan = planReplicas(pods, replicas, () => this.#family(owner, pods), now());
    if (plan.does === 'create') {
      const pod = podFromTemplate(owner, template);
      return (await slowStart(plan.count, () => control.create(owner, pod))).errors;
    }
    if (plan.does === 'nothing') return [];
    const results = await Promise.allSettled(plan.pods.map((pod) => control.delete(owner, pod)));
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  }

  /** The Pods of all objects with the same owner; those of the object itself if it has none. */
  #family({ object }: Owner, own: readonly Pod[]): readonly Pod[] {
    const { objects, pods } = this.#options;
    const owner = controllerOf(object.metadata ?? {});
    if (owner === undefined) return own;
    const uids = Array.from(objects.find(BY_CONTROLLER, owner.uid), ([, one]) => one.metadata().uid ?? '');
    return uids.flatMap((uid) => Array.from(pods.find(BY_CONTROLLER, uid), ([, pod]) => pod.object as Pod));
  }

  /** The Pods in some state that the object controls and selects. */
  #controlled(object: ReplicatedObject, isSo: (pod: Pod) => boolean): readonly Pod[] {
    const { kind, pods } = this.#options;
    return controlled(pods, object, (_, pod: Pod) => isSo(pod) && selects(kind, object, pod.metadata ?? {}));
  }

  async #writeStatus(
    { resource, object }: Owner,
    active: readonly Pod[],
    failure: ReplicaFailure | undefined,
  ): Promise<void> {
    const { kind, client, countsTerminating, now } = this.#options;
    const replication = kind.read(object);
    const terminating = countsTerminating ? this.#controlled(object, isTerminating).length : undefined;
    const generation = object.metadata?.generation ?? 0;
    const status = replicaStatus(replication, generation, { active, terminating }, failure, now());
    if (!isSame(status, replication.status))
      await updateStatus(client.writer(), resource, object, (current) => ({ ...current, status }));
  }
}

/** A namespace that is going is no failure of the object. */
function failureOf(errors: readonly unknown[], lacksPods: boolean): ReplicaFailure | undefined {
  const [error] = errors.filter((one) => !isNamespaceTerminating(one));
  if (error === undefined) return undefined;
  return { reason: lacksPods ? 'FailedCreate' : 'FailedDelete', message: (error as Error).message };
}
