import type { Pod } from '../../model/generated/core-v1.ts';
import { boundsOf, type UpdateBounds } from './bounds.ts';
import { isTerminating, type ObservedDaemons } from './observed.ts';
import { NOWHERE } from './placement.ts';
import type { PodChanges } from './plan.ts';

const NOTHING: PodChanges = { create: [], delete: [] };

/** One step of a rolling update. */
export function planUpdate(observed: ObservedDaemons): PodChanges {
  if (observed.daemonSet.spec?.updateStrategy?.type !== 'RollingUpdate') return NOTHING;
  const bounds = boundsOf(observed.daemonSet, observed.desired);
  return bounds.surge === 0 ? replacePods(observed, bounds) : addPods(observed, bounds);
}

/** The Pods of a node that are not being deleted; undefined if it has several of one kind, which are removed first. */
interface NodePods {
  readonly fresh: Pod | undefined;
  readonly old: Pod | undefined;
}

function podsOf({ isUpdated }: ObservedDaemons, pods: readonly Pod[]): NodePods | undefined {
  const present = pods.filter((pod) => !isTerminating(pod));
  const fresh = present.filter(isUpdated);
  if (fresh.length > 1 || present.length - fresh.length > 1) return undefined;
  return { fresh: fresh[0], old: present.find((pod) => pod !== fresh[0]) };
}

/** Nodes with Pods, and those that are to get one, with what they have. */
function* nodesOf(observed: ObservedDaemons): Generator<readonly [node: string, pods: NodePods | undefined]> {
  for (const [node, pods] of observed.byNode) yield [node, podsOf(observed, pods)];
  for (const [node, { runs }] of observed.placements)
    if (runs && !observed.byNode.has(node)) yield [node, { fresh: undefined, old: undefined }];
}

/**
 * Without surge, old Pods are deleted, and their nodes get others afterwards. Those that are not available go at once,
 * as many others as the bound on nodes without an available Pod permits.
 */
function replacePods(observed: ObservedDaemons, { unavailable: most }: UpdateBounds): PodChanges {
  const { isAvailable } = observed;
  const broken: Pod[] = [];
  const available: Pod[] = [];
  let unavailable = 0;
  for (const [, pods] of nodesOf(observed)) {
    const { fresh, old } = pods ?? {};
    const only = fresh === undefined || old === undefined ? (fresh ?? old) : undefined;
    if (only === undefined || !isAvailable(only)) unavailable += 1;
    if (only === undefined || only !== old) continue;
    if (isAvailable(only)) available.push(only);
    else broken.push(only);
  }
  return { create: [], delete: [...broken, ...available.slice(0, Math.max(0, most - unavailable))] };
}

/** What surging comes to on all nodes. */
interface Surge {
  readonly create: string[];
  readonly delete: Pod[];
  /** Nodes whose old Pod is available, and may get a second one. */
  readonly candidates: string[];
  /** Available old Pods of nodes that get none any more. */
  readonly leaving: Pod[];
  available: number;
  doubled: number;
}

/**
 * With surge, nodes get a second Pod beside the old one, which goes when the second one is available. A node whose
 * old Pod is not available gets one at once, as many others as the bound permits.
 */
function addPods(observed: ObservedDaemons, { surge: most }: UpdateBounds): PodChanges {
  const surge: Surge = { create: [], delete: [], candidates: [], leaving: [], available: 0, doubled: 0 };
  for (const [node, pods] of nodesOf(observed)) {
    if (pods === undefined) surge.doubled += 1;
    else addToNode(observed, node, pods, surge);
  }
  const spare = Math.max(0, surge.available - observed.desired);
  return {
    create: [...surge.create, ...surge.candidates.slice(0, Math.max(0, most - surge.doubled))],
    delete: [...surge.delete, ...surge.leaving.slice(0, spare)],
  };
}

function addToNode(observed: ObservedDaemons, node: string, { fresh, old }: NodePods, surge: Surge): void {
  const { isAvailable, placements } = observed;
  const counted = old ?? fresh;
  if (counted !== undefined && isAvailable(counted)) surge.available += 1;
  if (old === undefined) return;
  if (fresh !== undefined) {
    if (isAvailable(fresh)) surge.delete.push(old);
    else surge.doubled += 1;
    return;
  }
  const { runs } = placements.get(node) ?? NOWHERE;
  if (isAvailable(old)) runs ? surge.candidates.push(node) : surge.leaving.push(old);
  else if (runs) surge.create.push(node);
  else surge.delete.push(old);
}
