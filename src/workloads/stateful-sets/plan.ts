import type { Pod } from '../../model/generated/core-v1.ts';
import { isAvailable, isFinished } from '../../reconcile/pods/pod-state.ts';
import { changedOwners, claimNames, isStale } from './claims.ts';
import { isOrdered, isRunningAndReady, isTerminating, ordinalOf } from './identity.ts';
import { hasIdentity, hasStorage } from './new-pod.ts';
import type { ObservedSet, Replica } from './observed.ts';
import { planUpdate } from './update.ts';

/** What is done for one Pod. */
export type PodAction =
  /** Creates the claims of a Pod, then the Pod, then sets the owners of the claims. */
  | { readonly does: 'create'; readonly pod: Pod }
  /** Creates claims that a pending Pod lacks, and sets the owners of all. */
  | { readonly does: 'complete'; readonly pod: Pod }
  /** Gives a Pod its identity, its claims and the owners of these. */
  | { readonly does: 'update'; readonly pod: Pod }
  /** Sets the owners of the claims of a Pod. */
  | { readonly does: 'own'; readonly pod: Pod }
  | { readonly does: 'delete'; readonly pod: Pod };

/** The actions for one Pod, one after the other; one that fails ends them. */
export type PodTask = readonly PodAction[];

/**
 * Tasks in rounds. No round follows one in which a task failed. Tasks of one round are done at the same time, but
 * for sets that are ordered: there one after the other, until one fails.
 */
export type Rounds = readonly (readonly PodTask[])[];

/**
 * What brings the Pods of a set nearer to those that it wants: first the wanted ones, then those to be removed, then
 * those to be updated. An ordered set does one thing and waits for it.
 */
export function plan(observed: ObservedSet): Rounds {
  const replicas = planEach(observed.replicas, (replica) => planReplica(observed, replica));
  if (replicas.waits) return [replicas.tasks];
  const owned = observed.condemned.filter((pod) => !haveOwners(observed, pod));
  const condemned = planEach(observed.condemned, (pod) => planRemoval(observed, pod));
  const rounds = [replicas.tasks, owned.map((pod): PodTask => [{ does: 'own', pod }]), condemned.tasks];
  if (condemned.waits) return rounds;
  return [...rounds, planUpdate(observed).map((pod): PodTask => [{ does: 'delete', pod }])];
}

/** What is done for a Pod, and whether those after it wait for that if the set is ordered. */
interface Step {
  readonly actions: PodTask;
  readonly waits: boolean;
}

const PROCEED: Step = { actions: [], waits: false };
const WAIT: Step = { actions: [], waits: true };

interface Steps {
  readonly tasks: readonly PodTask[];
  readonly waits: boolean;
}

/** The tasks for Pods up to the first one that the next ones wait for. */
function planEach<Item>(items: readonly Item[], planOne: (item: Item) => Step): Steps {
  const tasks: PodTask[] = [];
  for (const item of items) {
    const { actions, waits } = planOne(item);
    if (actions.length > 0) tasks.push(actions);
    if (waits) return { tasks, waits };
  }
  return { tasks, waits: false };
}

function planReplica(observed: ObservedSet, { pod, isNew }: Replica): Step {
  const { set, now } = observed;
  const waits = isOrdered(set);
  // A Pod that has ended is replaced, however it did.
  if (isFinished(pod)) return isTerminating(pod) ? { ...PROCEED, waits } : remove(pod, waits);
  if (isNew)
    return claimNames(set, ordinalOf(pod)).some((name) => isStaleClaim(observed, pod, name))
      ? { ...PROCEED, waits }
      : { actions: [{ does: 'create', pod }], waits };
  const completed: PodTask =
    pod.status?.phase === 'Pending' && !haveClaims(observed, pod) ? [{ does: 'complete', pod }] : [];
  const isReady =
    !isTerminating(pod) && isRunningAndReady(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  if (waits && !isReady) return { actions: completed, waits };
  const isConsistent = hasIdentity(set, pod) && hasStorage(set, pod) && haveOwners(observed, pod);
  return { actions: isConsistent ? completed : [...completed, { does: 'update', pod }], waits: false };
}

function planRemoval({ set, firstUnhealthy, now }: ObservedSet, pod: Pod): Step {
  const waits = isOrdered(set);
  if (isTerminating(pod)) return waits ? WAIT : PROCEED;
  const isReady = isRunningAndReady(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  return waits && !isReady && pod !== firstUnhealthy ? WAIT : remove(pod, waits);
}

const remove = (pod: Pod, waits: boolean): Step => ({ actions: [{ does: 'delete', pod }], waits });

function isStaleClaim({ set, findClaim }: ObservedSet, pod: Pod, name: string): boolean {
  const claim = findClaim(name);
  return claim !== undefined && isStale(set, pod, claim);
}

/** Whether no claim of a Pod has to be created, or given other owners. */
function haveClaims(observed: ObservedSet, pod: Pod): boolean {
  const names = claimNames(observed.set, ordinalOf(pod));
  return (
    names.every((name) => {
      const claim = observed.findClaim(name);
      return claim !== undefined && claim.metadata?.deletionTimestamp === undefined;
    }) && haveOwners(observed, pod)
  );
}

/** Whether the claims of a Pod that exist have the owners that the set wants. */
const haveOwners = ({ set, findClaim }: ObservedSet, pod: Pod): boolean =>
  claimNames(set, ordinalOf(pod)).every((name) => {
    const claim = findClaim(name);
    return claim === undefined || changedOwners(set, pod, claim) === undefined;
  });
