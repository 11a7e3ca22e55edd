import { Pace } from '../../../steps/pace.ts';
import { stepSizes } from '../../../steps/sizes.ts';
import type { Steps } from '../../../steps/steps.ts';
import { impossible } from '../../filters/filter.ts';
import type { PendingPod } from '../../objects/pending-pod.ts';
import type { NodeState } from '../../state/node-state.ts';
import type { SchedulingView } from '../../view.ts';
import { Diagnosis } from '../diagnosis.ts';
import type { NodeChecks } from '../node-checks.ts';
import { type Candidate, cheapest, selectVictims, type VictimSearch } from './victims.ts';

export interface PreemptionContext {
  readonly view: SchedulingView;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** The time of the cluster in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** What preemption can do for a pod. */
export type PreemptionResult =
  | { readonly candidate: Candidate }
  | { readonly message: string; readonly keepsNomination: boolean };

const NOT_HELPFUL = impossible('NodeResourcesFit', 'Preemption is not helpful for scheduling');
/** Of the nodes where it may help, at least this many or this share is tried. */
const LEAST_CANDIDATES = 100;
const LEAST_SHARE = 0.1;

/**
 * Looks for a node that a pod could use without some less important pods.
 * @param diagnosis why the pod cannot use any node now
 */
export function* preempt(
  pod: PendingPod,
  diagnosis: Diagnosis,
  checks: NodeChecks,
  context: PreemptionContext,
): Steps<PreemptionResult> {
  const refusal = whyNotEligible(pod, diagnosis, context.view);
  if (refusal !== undefined) return { message: refusal, keepsNomination: true };
  const { view, now } = context;
  const nodes = view.state.nodes;
  const failures = new Diagnosis(nodes.length, NOT_HELPFUL);
  const hopeful = nodes.filter((node) => diagnosis.of(node)?.mayPreempt === true);
  if (hopeful.length > 0) {
    const search = { pod: pod.info, checks, state: view.state, budgets: view.budgets.budgets(), now: now() };
    const candidates = yield* findCandidates(search, hopeful, failures, context.random);
    if (candidates.length > 0) return { candidate: cheapest(candidates, search.now) };
  }
  return { message: failures.message, keepsNomination: false };
}

function whyNotEligible(
  { info, mayPreempt, nominatedNode }: PendingPod,
  diagnosis: Diagnosis,
  { state }: SchedulingView,
): string | undefined {
  if (!mayPreempt) return 'not eligible due to preemptionPolicy=Never.';
  const node = nominatedNode === '' ? undefined : state.node(nominatedNode);
  if (node === undefined || diagnosis.of(node)?.mayPreempt !== true) return undefined;
  for (const { priority, isPreempted } of node.pods)
    if (priority < info.priority && isPreempted)
      return 'not eligible due to a terminating pod on the nominated node.';
  return undefined;
}

/** Tries nodes from a random one on, until there are enough candidates of which one violates no budget. */
function* findCandidates(
  search: VictimSearch,
  nodes: readonly NodeState[],
  failures: Diagnosis,
  random: () => number,
): Steps<Candidate[]> {
  const enough = Math.min(nodes.length, Math.max(LEAST_CANDIDATES, Math.floor(nodes.length * LEAST_SHARE)));
  const first = Math.floor(random() * nodes.length);
  const pace = new Pace(stepSizes.records);
  const harmless: Candidate[] = [];
  const violating: Candidate[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[(first + index) % nodes.length]!;
    if (search.checks.hasLongWork) yield* search.checks.prepare(node);
    if (pace.isPause(1 + node.pods.size)) yield;
    if (node.info === undefined) continue;
    const found = selectVictims(search, node);
    if (!('victims' in found)) {
      failures.rejected.set(node, found);
      continue;
    }
    if (found.victims.length === 0) continue;
    (found.violations === 0 ? harmless : violating).push(found);
    if (harmless.length > 0 && harmless.length + violating.length >= enough) break;
  }
  return [...harmless, ...violating];
}
