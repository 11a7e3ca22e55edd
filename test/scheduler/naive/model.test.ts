import fc from 'fast-check';
import { expect, it } from 'vitest';
import { preparePod } from '../../../src/scheduler/decision/node-checks.ts';
import { pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import { crowdedSituation } from '../situations/crowded.ts';
import { randomSituation } from '../situations/generate.ts';
import type { Situation } from '../situations/situation.ts';
import { NO_GATES, viewOf } from '../world.ts';
import { NaiveModel } from './model.ts';

/** The reasons of each node by its name, or that no node was looked at. */
function reasonsOf(
  situation: Situation,
  probe: Situation['probes'][number],
): Record<string, readonly string[]> {
  const view = viewOf(situation);
  const { checks, rejection } = preparePod(pendingPod(probe, NO_GATES), view);
  return Object.fromEntries(
    view.state.nodes.map((node) => [
      node.name,
      [...((rejection ?? checks.check(node))?.reasons ?? [])].sort(),
    ]),
  );
}

it.each([
  ['general', randomSituation],
  ['crowded', crowdedSituation],
] as const)('rejects the nodes that a slow model of each rule rejects: %s', (_, generate) => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const situation = generate(seed);
      const model = new NaiveModel(situation);
      for (const probe of situation.probes) {
        const expected = situation.nodes.map((node) => [
          node.metadata!.name!,
          [...model.reasons(probe, node)].sort(),
        ]);
        expect(reasonsOf(situation, probe)).toEqual(Object.fromEntries(expected));
      }
    }),
    { numRuns: 60 },
  );
});
