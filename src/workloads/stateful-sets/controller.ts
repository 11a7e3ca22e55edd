import type { ControllerRevision, StatefulSet } from '../../model/generated/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { claim } from '../../reconcile/claims.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { isOutcomeUnknown, OwnWrites } from '../../reconcile/own-writes.ts';
import { candidates, controlled, followOwned } from '../../reconcile/owned.ts';
import { untilAvailable } from '../../reconcile/pods/pod-state.ts';
import { CLAIMS, CONTROLLER_REVISIONS, PODS, STATEFUL_SETS } from '../../reconcile/resources.ts';
import { updateStatus } from '../../reconcile/status-update.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { claimRevisions } from '../revisions/claim-revisions.ts';
import { deleteRevision } from '../revisions/write-revisions.ts';
import type { StatefulSetSettings } from '../settings.ts';
import type { FindClaim } from './claims.ts';
import { SetExecutor } from './executor.ts';
import { followClaims } from './follow-claims.ts';
import { isMember, isRunningAndReady } from './identity.ts';
import { observe } from './observed.ts';
import { plan } from './plan.ts';
import { currentRevision, expiredRevisions, writeUpdateRevision } from './revisions.ts';
import { type SetRevisions, saysSo, setStatus } from './status.ts';

/** Keeps the Pods of each StatefulSet, with their names and claims. */
export function statefulSetController(parts: NamedContext, settings: StatefulSetSettings): Controller {
  const sets = parts.objects(STATEFUL_SETS);
  const pods = parts.objects(PODS);
  const revisions = parts.objects(CONTROLLER_REVISIONS);
  const claims = parts.objects(CLAIMS);
  const writes = new OwnWrites([sets, pods, revisions, claims]);
  const queue: WorkQueue = workloadQueue(
    parts,
    (key) => writes.follow(key, () => controller.reconcile(key)),
    settings.workers,
  );
  const controller = new StatefulSetController({
    sets,
    pods,
    revisions,
    claims,
    queue,
    client: parts.client(parts.user),
    events: parts.events('statefulset-controller'),
    now: parts.clusterClock.now,
    readsMaxUnavailable: settings.readsMaxUnavailable,
  });
  sets.onChange((key, set) => {
    if (set !== undefined) queue.add(key);
  });
  followOwned({
    owners: sets,
    kind: STATEFUL_SETS.kind,
    owned: pods,
    selects: ({ object }, metadata) => selects(object, { metadata }),
    changed: (key) => queue.add(key),
  });
  followClaims(sets, claims, (key) => queue.add(key));
  return { name: parts.name, sources: [sets, pods, revisions, claims], queue };
}

const selects = (set: StatefulSet, pod: Pod): boolean =>
  isMember(set, pod) && labelSelectorMatches(set.spec?.selector, pod.metadata?.labels);

interface ControllerOptions {
  readonly sets: IndexedSource;
  readonly pods: IndexedSource;
  readonly revisions: IndexedSource;
  readonly claims: IndexedSource;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly queue: Pick<WorkQueue, 'addAfter'>;
  readonly now: () => number;
  readonly readsMaxUnavailable: boolean;
}

class StatefulSetController {
  readonly #options: ControllerOptions;

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  async reconcile(key: string): Promise<WorkResult> {
    const { sets, queue, now } = this.#options;
    const set = sets.get(key) as StatefulSet | undefined;
    if (set === undefined || !isManaged(set.metadata ?? {})) return 'done';
    if (set.metadata?.deletionTimestamp !== undefined) return this.#countOnly(set);
    const revisions = await this.#claimRevisions(set);
    const pods = await this.#claimPods(set);
    const errors = await this.#roll(set, pods, revisions);
    if (errors.length > 0) throw errors.find(isOutcomeUnknown) ?? errors[0];
    const ready = controlled(this.#options.pods, set, selects).filter(isRunningAndReady);
    const wait = untilAvailable(ready, set.spec?.minReadySeconds ?? 0, now());
    if (wait !== undefined) queue.addAfter(key, wait);
    return 'done';
  }

  /** The Pods and revisions of a set that is being deleted are the garbage collector's. */
  async #countOnly(set: StatefulSet): Promise<WorkResult> {
    const { currentRevision: current, updateRevision: update, collisionCount } = set.status ?? {};
    if (current !== undefined && update !== undefined)
      await this.#writeStatus(set, { current, update, collisions: collisionCount ?? 0 });
    return 'done';
  }

  /** @returns errors of Pods that could not be created, updated or deleted */
  async #roll(
    set: StatefulSet,
    pods: readonly Pod[],
    revisions: readonly ControllerRevision[],
  ): Promise<readonly unknown[]> {
    const { client, events, readsMaxUnavailable, now } = this.#options;
    const { revision, collisions } = await writeUpdateRevision(client, set, revisions);
    const update = { name: revision.metadata?.name ?? '', template: set.spec?.template ?? {} };
    const current = currentRevision(set, revisions, update);
    const findClaim = this.#claimsOf(set);
    const observed = observe({ set, pods, current, update, findClaim, readsMaxUnavailable, now: now() });
    const errors = await new SetExecutor(set, { client, events, findClaim }).run(plan(observed));
    await this.#writeStatus(set, { current: current.name, update: update.name, collisions });
    for (const expired of expiredRevisions(set, revisions, pods, [current, update]))
      await deleteRevision(client, expired);
    return errors;
  }

  /** The sources know the own writes. */
  async #writeStatus(set: StatefulSet, revisions: SetRevisions): Promise<void> {
    const { client, now } = this.#options;
    const status = setStatus(set, controlled(this.#options.pods, set, selects), revisions, now());
    if (!saysSo(set, status))
      await updateStatus(client.writer(), STATEFUL_SETS, set, (current) => ({ ...current, status }));
  }

  #claimRevisions(set: StatefulSet): Promise<readonly ControllerRevision[]> {
    const { client, revisions } = this.#options;
    return claimRevisions({
      client,
      revisions,
      owner: { resource: STATEFUL_SETS, object: set },
      selector: set.spec?.selector,
      releases: false,
    });
  }

  #claimPods(set: StatefulSet): Promise<readonly Pod[]> {
    const { client, pods } = this.#options;
    return claim(
      {
        client,
        owner: { resource: STATEFUL_SETS, object: set },
        resource: PODS,
        selects: (metadata) => selects(set, { metadata }),
      },
      Array.from(candidates(pods, set), ({ object }) => object as Pod),
    );
  }

  #claimsOf({ metadata }: StatefulSet): FindClaim {
    const { claims } = this.#options;
    return (name) => claims.get(`${metadata?.namespace}/${name}`) as PersistentVolumeClaim | undefined;
  }
}
