import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Diagnosis } from '../../../src/scheduler/decision/diagnosis.ts';
import { preparePod } from '../../../src/scheduler/decision/node-checks.ts';
import { splitByBudgets } from '../../../src/scheduler/decision/preemption/budgets.ts';
import {
  type Candidate,
  cheapest,
  selectVictims,
} from '../../../src/scheduler/decision/preemption/victims.ts';
import { labelMatcher } from '../../../src/scheduler/objects/label-matcher.ts';
import { pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import { type PodInfo, podInfo } from '../../../src/scheduler/objects/pod-info.ts';
import { NodeState } from '../../../src/scheduler/state/node-state.ts';
import { crowdedSituation } from '../situations/crowded.ts';
import { NO_GATES, viewOf } from '../world.ts';

const NOW = Date.parse('2026-02-01T00:00:00Z');

it('takes what is needed and nothing else, and leaves the node as it was', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const situation = crowdedSituation(seed);
      const view = viewOf(situation);
      const { state } = view;
      for (const probe of situation.probes) {
        const pending = pendingPod(probe, NO_GATES);
        const { checks, rejection } = preparePod(pending, view);
        if (rejection !== undefined) continue;
        for (const node of state.nodes) {
          const before = [[...node.pods], structuredClone(node.requested), checks.check(node)?.reasons];
          const search = { pod: pending.info, checks, state, budgets: view.budgets.budgets(), now: NOW };
          const found = selectVictims(search, node);
          const after = [[...node.pods], structuredClone(node.requested), checks.check(node)?.reasons];
          expect(new Set(after[0] as PodInfo[])).toEqual(new Set(before[0] as PodInfo[]));
          expect(after.slice(1)).toEqual(before.slice(1));
          if (!('victims' in found)) continue;
          const { victims } = found;
          expect(victims.every(({ priority }) => priority < pending.info.priority)).toBe(true);
          for (const victim of victims) state.takeFrom(node, victim);
          expect(checks.check(node)).toBeUndefined();
          // Of other rules a victim may have been in the way only while others were there.
          const onlyNeedsRoom = pending.info.affinity === undefined && pending.spreadConstraints.length === 0;
          for (const victim of onlyNeedsRoom ? victims : []) {
            state.addTo(node, victim);
            expect(checks.check(node)).toBeDefined();
            state.takeFrom(node, victim);
          }
          for (const victim of victims) state.addTo(node, victim);
        }
        checks.end();
      }
    }),
    { numRuns: 40 },
  );
});

const pod = (name: string, priority: number, startTime: string, labels = {}): PodInfo =>
  podInfo(
    {
      metadata: { name, namespace: 'one', labels },
      spec: { priority },
      status: { startTime: `2026-01-${startTime}T00:00:00Z` },
    },
    NO_GATES,
  );

const candidate = (name: string, victims: PodInfo[], violations = 0): Candidate => ({
  node: new NodeState(name),
  victims,
  violations,
});

const choice = (...candidates: Candidate[]): string => cheapest(candidates, NOW).node.name;

it('prefers candidates by budgets, priorities, number and age of their victims', () => {
  const low = pod('low', 1, '10');
  const high = pod('high', 5, '10');
  expect(choice(candidate('violating', [low], 1), candidate('kept', [high, high]))).toBe('kept');
  expect(choice(candidate('high', [high]), candidate('low', [low, low, low]))).toBe('low');
  expect(choice(candidate('two', [low, low]), candidate('one', [low]))).toBe('one');
  const negative = pod('negative', -5, '10');
  expect(choice(candidate('two', [low, negative]), candidate('one', [low]))).toBe('one');
  const young = pod('young', 1, '20');
  expect(choice(candidate('old', [low]), candidate('young', [young]))).toBe('young');
  expect(choice(candidate('mixed', [young, low]), candidate('old', [young, young]))).toBe('old');
  expect(choice(candidate('first', [low]), candidate('second', [low]))).toBe('first');
});

it('charges each budget for the first pods that it protects', () => {
  const [first, second, other] = [
    pod('first', 1, '01', { app: 'web' }),
    pod('second', 1, '01', { app: 'web' }),
    pod('other', 1, '01', { app: 'db' }),
  ];
  const budget = {
    namespace: 'one',
    selector: labelMatcher({ matchLabels: { app: 'web' } }),
    disruptionsAllowed: 1,
    disruptedPods: new Set<string>(),
  };
  const split = (change: object) => {
    const { violating } = splitByBudgets([first!, second!, other!], [{ ...budget, ...change }]);
    return violating.map(({ name }) => name);
  };
  expect(split({})).toEqual(['second']);
  expect(split({ disruptionsAllowed: 2 })).toEqual([]);
  expect(split({ disruptedPods: new Set(['first']) })).toEqual([]);
  expect(split({ namespace: 'two' })).toEqual([]);
  expect(split({ selector: labelMatcher({}) })).toEqual([]);
});

it('words what all nodes lack in the order of the texts', () => {
  const diagnosis = new Diagnosis(3);
  const rejection = (...reasons: string[]) =>
    ({ rule: 'NodeResourcesFit', reasons, mayPreempt: true }) as const;
  diagnosis.rejected.set(new NodeState('a'), rejection('Too many pods', 'Insufficient cpu'));
  diagnosis.rejected.set(new NodeState('b'), rejection('Insufficient cpu'));
  expect(diagnosis.message).toBe('0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu.');
  expect(new Diagnosis(2).message).toBe('0/2 nodes are available:');
});
