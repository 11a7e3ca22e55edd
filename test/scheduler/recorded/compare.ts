import { Decider } from '../../../src/scheduler/decision/decide.ts';
import { preparePod } from '../../../src/scheduler/decision/node-checks.ts';
import { DeviceSelectors } from '../../../src/scheduler/devices/device-selectors.ts';
import { pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
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
  const { node, victims = [] } = (decision.kind === 'reject' && decision.preemption) || {};
  if (node !== outcome.nominatedNode) found.push(`nominated: ${node} instead of ${outcome.nominatedNode}`);
  const names = victims.map(({ name }) => name).sort();
  const expected = [...(outcome.victims ?? [])].sort();
  if (names.join() !== expected.join()) found.push(`victims: ${names} instead of ${expected}`);
  return found;
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
