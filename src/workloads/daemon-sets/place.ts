import type { Pod } from '../../model/generated/core-v1.ts';
import { isReady } from '../../reconcile/pods/pod-state.ts';
import { allowsSurge } from './bounds.ts';
import { hashOf } from './daemon-pods.ts';
import { isTerminating, type ObservedDaemons } from './observed.ts';
import type { Placement } from './placement.ts';
import type { DaemonPlan, Report } from './plan.ts';

/** What is found on the nodes. */
interface Found {
  readonly create: string[];
  readonly delete: Pod[];
  readonly reports: Report[];
  readonly failed: string[];
  readonly waits: number[];
}

/** Gives each node its Pod, and ends Pods that have ended, that are too many, or that a node is not to have. */
export function placePods(observed: ObservedDaemons): DaemonPlan {
  const found: Found = { create: [], delete: [], reports: [], failed: [], waits: [] };
  for (const [node, placement] of observed.placements) placeOnNode(observed, node, placement, found);
  for (const [node, pods] of observed.byNode)
    if (!observed.placements.has(node)) found.delete.push(...pods.filter(isUnbound));
  const { waits, ...rest } = found;
  return { ...rest, again: waits.length === 0 ? undefined : Math.min(...waits) };
}

/** A Pod for a node that has gone: nobody else deletes it. */
const isUnbound = (pod: Pod): boolean => !pod.spec?.nodeName && !isTerminating(pod);

function placeOnNode(
  observed: ObservedDaemons,
  node: string,
  { runs, stays }: Placement,
  found: Found,
): void {
  const pods = observed.byNode.get(node);
  if (pods === undefined) {
    if (runs) found.create.push(node);
    return;
  }
  const present = pods.filter((pod) => !isTerminating(pod));
  if (!stays) {
    found.delete.push(...present);
    return;
  }
  const running = present.filter((pod) => !replaceEnded(observed, node, pod, found));
  if (!allowsSurge(observed.daemonSet)) found.delete.push(...running.slice(1));
  else if (running.length > 1) found.delete.push(...surplus(observed, running));
  else if (running.length === 0 && runs) found.create.push(node);
}

/** Deletes a Pod that has ended. Failed ones of a node wait longer each time. @returns whether it has ended */
function replaceEnded({ untilReplaced }: ObservedDaemons, node: string, pod: Pod, found: Found): boolean {
  const phase = pod.status?.phase;
  const { namespace, name } = pod.metadata ?? {};
  if (phase === 'Succeeded') {
    const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`;
    found.reports.push({ type: 'Normal', reason: 'SucceededDaemonPod', message });
    found.delete.push(pod);
  }
  if (phase !== 'Failed') return phase === 'Succeeded';
  const wait = untilReplaced(node);
  if (wait > 0) found.waits.push(wait);
  else if (!found.failed.includes(node)) {
    const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`;
    found.reports.push({ type: 'Warning', reason: 'FailedDaemonPod', message });
    found.failed.push(node);
    found.delete.push(pod);
  }
  return true;
}

/**
 * The Pods beyond one, or beyond one of the present template and one of an earlier one. The earlier one goes when it
 * is not ready, or the present one is available.
 */
function surplus({ hash, isAvailable }: ObservedDaemons, running: readonly Pod[]): readonly Pod[] {
  const fresh = running.find((pod) => hashOf(pod) === hash);
  const old = running.find((pod) => hashOf(pod) !== hash);
  const others = running.filter((pod) => pod !== fresh && pod !== old);
  const isReplaced = fresh !== undefined && old !== undefined && (!isReady(old) || isAvailable(fresh));
  return isReplaced ? [...others, old] : others;
}
