import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Node, Pod } from '../../../src/model/generated/core-v1.ts';
import { NodeChecks, preparePod } from '../../../src/scheduler/decision/node-checks.ts';
import { nodeInfo } from '../../../src/scheduler/objects/node-info.ts';
import { type PendingPod, pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import { podInfo, podKey } from '../../../src/scheduler/objects/pod-info.ts';
import { totalScores } from '../../../src/scheduler/scores/criteria.ts';
import type { SchedulingView } from '../../../src/scheduler/view.ts';
import { randomSituation } from '../situations/generate.ts';
import { randomNode } from '../situations/nodes.ts';
import { runningPod } from '../situations/pods.ts';
import { Random } from '../situations/random.ts';
import type { Situation } from '../situations/situation.ts';
import { NO_GATES, viewOf } from '../world.ts';

const NAMES = ['n0', 'n1', 'n2', 'n3', 'n4'];

/** What is decided about a pod: the rejections of nodes by name, and the scores of others. */
function judgement(pod: PendingPod, view: SchedulingView): Record<string, unknown> {
  const { checks, rejection } = preparePod(pod, view);
  checks.end();
  const found: Record<string, unknown> = {};
  const feasible = view.state.nodes.filter((node) => {
    const reasons = (rejection ?? checks.check(node))?.reasons;
    if (reasons !== undefined) found[node.name] = [...reasons].sort();
    return reasons === undefined;
  });
  for (const [index, score] of (feasible.length === 0 ? [] : totalScores(pod, feasible, view)).entries())
    found[feasible[index]!.name] = score;
  return found;
}

/** Changes an object of a situation at random, there and in the state that follows it. */
function change(
  random: Random,
  objects: { nodes: Map<string, Node>; pods: Map<string, Pod> },
  view: SchedulingView,
): void {
  const { nodes, pods } = objects;
  const { state } = view;
  const name = random.pick(NAMES);
  const key = `p${random.between(0, 9)}`;
  random.pick([
    () => {
      const node = randomNode(random, Number(name.slice(1)));
      nodes.set(name, node);
      state.setNode(nodeInfo(node));
    },
    () => {
      nodes.delete(name);
      state.removeNode(name);
    },
    () => {
      const known = pods.get(key);
      if (known !== undefined) state.remove(podKey(podInfo(known, NO_GATES)));
      const pod = runningPod(random, key, name);
      pods.set(key, pod);
      state.place(podInfo(pod, NO_GATES), name);
    },
    () => {
      const known = pods.get(key);
      if (known === undefined) return;
      state.remove(podKey(podInfo(known, NO_GATES)));
      pods.delete(key);
    },
  ])();
}

const current = (
  situation: Situation,
  { nodes, pods }: { nodes: Map<string, Node>; pods: Map<string, Pod> },
): Situation => ({ ...situation, nodes: [...nodes.values()], pods: [...pods.values()] });

it('decides after any changes as from a fresh state', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = new Random(seed);
      const situation = { ...randomSituation(seed), nodes: [], pods: [] };
      const objects = { nodes: new Map<string, Node>(), pods: new Map<string, Pod>() };
      const view = viewOf(situation);
      const probes = situation.probes.map((probe) => pendingPod(probe, NO_GATES));
      for (let step = 0; step < 40; step++) {
        change(random, objects, view);
        const probe = random.pick(probes);
        // Uses the kept counts, so that the changes after it have to follow.
        const seen = judgement(probe, view);
        if (step % 8 === 0) expect(seen).toEqual(judgement(probe, viewOf(current(situation, objects))));
      }
      const fresh = viewOf(current(situation, objects));
      for (const probe of probes) expect(judgement(probe, view)).toEqual(judgement(probe, fresh));
    }),
    { numRuns: 40 },
  );
});

it('follows changes while a pod is decided', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = new Random(seed);
      const situation = randomSituation(seed);
      const view = viewOf(situation);
      const [first] = situation.nodes;
      for (const probe of situation.probes) {
        const pod = pendingPod(probe, NO_GATES);
        const { checks, rejection } = preparePod(pod, view);
        if (rejection !== undefined) continue;
        const added = runningPod(random, 'added', first!.metadata!.name!);
        const node = view.state.node(first!.metadata!.name!)!;
        const info = podInfo(added, NO_GATES);
        view.state.addTo(node, info);
        const after = view.state.nodes.map((one) => checks.check(one)?.reasons);
        view.state.takeFrom(node, info);
        const before = view.state.nodes.map((one) => checks.check(one)?.reasons);
        checks.end();
        expect(before).toEqual(reasons(pod, viewOf(situation)));
        // Without requirements of its own, a pod follows no anti-affinity of pods that are added.
        const { requiredNear = [], requiredFar = [] } = pod.info.affinity ?? {};
        if (info.affinity !== undefined && requiredNear.length + requiredFar.length === 0) continue;
        expect(after).toEqual(reasons(pod, viewOf({ ...situation, pods: [...situation.pods, added] })));
      }
    }),
    { numRuns: 60 },
  );
});

function reasons(pod: PendingPod, view: SchedulingView): unknown[] {
  const { checks } = preparePod(pod, view);
  expect(checks).toBeInstanceOf(NodeChecks);
  return view.state.nodes.map((node) => checks.check(node)?.reasons);
}
