import fc from 'fast-check';
import { Decider } from '../../../src/scheduler/decision/decide.ts';
import { DeviceSelectors } from '../../../src/scheduler/devices/device-selectors.ts';
import { pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import { crowdedSituation } from '../../scheduler/situations/crowded.ts';
import { deviceSituation } from '../../scheduler/situations/devices.ts';
import { randomSituation } from '../../scheduler/situations/generate.ts';
import type { Situation } from '../../scheduler/situations/situation.ts';
import { NO_GATES, selecting, viewOf } from '../../scheduler/world.ts';
import { paceCase } from './pace-case.ts';

const selectors = new DeviceSelectors();
selecting.selects = (...parts) => selectors.selects(...parts);

const situations = fc
  .tuple(fc.nat(), fc.constantFrom(crowdedSituation, deviceSituation, randomSituation))
  .map(([seed, situationOf]) => situationOf(seed));

const contextOf = (situation: Situation) => ({
  view: viewOf(situation),
  random: () => 0.5,
  now: () => Date.parse('2026-02-01T00:00:00Z'),
});

export const SCHEDULER_CASES = [
  paceCase('scheduler/decision/decide.ts Decider.decide', situations, function* (situation) {
    const decider = new Decider(contextOf(situation));
    const decisions: unknown[] = [];
    for (const probe of situation.probes) decisions.push(yield* decider.decide(pendingPod(probe, NO_GATES)));
    return decisions.map((decision) =>
      JSON.stringify(decision, (_, value: unknown) => (value instanceof Set ? [...value] : value)),
    );
  }),
];
