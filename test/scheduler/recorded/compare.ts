import { Decider, type Preemption } from '../../../src/scheduler/decision/decide.ts';
import { preparePod } from '../../../src/scheduler/decision/node-checks.ts';
import {
  type Candidate,
  cheapest,
  selectVictims,
} from '../../../src/scheduler/decision/preemption/victims.ts';
import { DeviceSelectors } from '../../../src/scheduler/devices/device-selectors.ts';
import { type PendingPod, pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import { CRITERIA } from '../../../src/scheduler/scores/criteria.ts';
import type { SchedulingView } from '../../../src/scheduler/view.ts';
import { runNow } from '../../../src/steps/run.ts';
import { NO_GATES, selecting, viewOf } from '../world.ts';
import type { Outcome, Recording } from './recording.ts';

const selectors = new DeviceSelectors();
selecting.selects = (...parts) => selectors.selects(...parts);

const NOW = Date.parse('2026-02-01T00:00:00Z');

/** How a decision differs from what kube-scheduler did with the same pod: empty if it does not. */
export function differences(
  { situation }: Pick<Recording, 'situation'>,
  { pod, outcome }: Recording['cases'][number],
): string[] {
  const view = viewOf({ ...situation, probes: [] });
  const pending = pendingPod(pod, NO_GATES);
  const decision = runNow(new Decider({ view, random: () => 0, now: () => NOW }).decide(pending));
  if (outcome.node !== undefined) {
    if (decision.kind !== 'place') return [`${decision.message} instead of ${outcome.node}`];
    return scoreDifferences(pod, view, outcome);
  }
  if (decision.kind === 'place') return [`${decision.node} instead of ${outcome.message}`];
  const found: string[] = [];
  if (comparable(decision.message) !== comparable(outcome.message!))
    found.push(`message: ${decision.message} instead of ${outcome.message}`);
  const reason = decision.kind === 'reject' ? 'Unschedulable' : 'SchedulerError';
  if (reason !== outcome.reason) found.push(`reason: ${reason} instead of ${outcome.reason}`);
  const { preemption } = decision.kind === 'reject' ? decision : {};
  if (!isAsGood(preemption, outcome, pending, view))
    found.push(`preempted: ${shown(preemption)} instead of ${outcome.nominatedNode}: ${outcome.victims}`);
  return found;
}

const shown = (preemption: Preemption | undefined): string =>
  `${preemption?.node}: ${preemption?.victims.map(({ name }) => name)}`;

/** Of candidates that cost the same, either may be chosen. */
function isAsGood(
  preemption: Preemption | undefined,
  { nominatedNode, victims }: Outcome,
  pod: PendingPod,
  view: SchedulingView,
): boolean {
  if (preemption === undefined || nominatedNode === undefined) return preemption === nominatedNode;
  const { checks } = preparePod(pod, view);
  const search = { pod: pod.info, checks, state: view.state, budgets: view.budgets.budgets(), now: NOW };
  const candidateOn = (node: string) => selectVictims(search, view.state.node(node)!) as Candidate;
  const other = candidateOn(nominatedNode);
  const cheaper = cheapest([other, candidateOn(preemption.node)], NOW);
  const names = other.victims.map(({ name }) => name);
  checks.end();
  return [...names].sort().join() === [...victims!].sort().join() && cheaper === other;
}

/** Which of several problems of a claim is reported depends on the order of pools. */
const comparable = (message: string): string => message.replace(/(, request \w+: ).*$/, '$1…');

/** Compares the feasible nodes, and their scores where there are several. */
function scoreDifferences(
  pod: Recording['cases'][number]['pod'],
  view: SchedulingView,
  { node, scores }: Outcome,
): string[] {
  const pending = pendingPod(pod, NO_GATES);
  const { checks } = preparePod(pending, view);
  const feasible = view.state.nodes.filter((candidate) => checks.check(candidate) === undefined);
  const names = feasible.map(({ name }) => name).sort();
  const expected = scores === undefined ? [node!] : Object.keys(scores).sort();
  if (names.join() !== expected.join()) return [`feasible: ${names} instead of ${expected}`];
  if (scores === undefined) return [];
  const found: string[] = [];
  for (const { plugin, weight, score } of CRITERIA) {
    const own = score(pending, feasible, view);
    for (const [index, { name }] of feasible.entries()) {
      const value = weight * (own?.[index] ?? 0);
      const wanted = scores[name]![plugin] ?? 0;
      if (value !== wanted) found.push(`${plugin} of ${name}: ${value} instead of ${wanted}`);
    }
  }
  return found;
}
