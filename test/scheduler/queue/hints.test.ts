import { expect, it } from 'vitest';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { Decider, type Decision } from '../../../src/scheduler/decision/decide.ts';
import { DeviceSelectors } from '../../../src/scheduler/devices/device-selectors.ts';
import type { RuleName } from '../../../src/scheduler/filters/filter.ts';
import { pendingPod } from '../../../src/scheduler/objects/pending-pod.ts';
import type { ClusterEvent } from '../../../src/scheduler/queue/cluster-event.ts';
import { mayHelp } from '../../../src/scheduler/queue/hints.ts';
import { runNow } from '../../../src/steps/run.ts';
import { SITUATIONS } from '../situations/kinds.ts';
import { Random } from '../situations/random.ts';
import type { Situation } from '../situations/situation.ts';
import { NO_GATES, selecting, viewOf } from '../world.ts';
import { change, changeSelf } from './changes.ts';

const selectors = new DeviceSelectors();
selecting.selects = (...parts) => selectors.selects(...parts);

const decide = (pod: Pod, situation: Situation): Decision => {
  const view = viewOf(situation);
  return runNow(new Decider({ view, random: () => 0, now: () => 0 }).decide(pendingPod(pod, NO_GATES)));
};

/** Whether the event is noticed by a pod that the rules rejected. */
const isNoticed = (pod: Pod, rules: ReadonlySet<RuleName>, event: ClusterEvent): boolean =>
  [...rules].some((rule) => mayHelp(pendingPod(pod, NO_GATES), rule, event));

/** What became of probes: how many found a place after an event, and the events that none of their rules noticed. */
function follow(generate: (seed: number) => Situation, seed: number): { helped: number; missed: string[] } {
  const situation = generate(seed);
  const random = new Random(seed);
  const found = { helped: 0, missed: [] as string[] };
  const note = (pod: Pod, before: Decision, after: Decision, event: ClusterEvent): void => {
    if (before.kind !== 'reject' || after.kind !== 'place') return;
    found.helped += 1;
    if (!isNoticed(pod, before.rules, event))
      found.missed.push(`seed ${seed}, ${event.kind}, ${pod.metadata?.name}: ${before.message}`);
  };
  const rejected = situation.probes
    .map((pod) => ({ pod, before: decide(pod, situation) }))
    .filter(({ before }) => before.kind === 'reject');
  for (let count = 1; count <= 10; count += 1) {
    const result = change(random, situation, generate(seed + count));
    for (const { pod, before } of result === undefined ? [] : rejected)
      note(pod, before, decide(pod, result!.situation), result!.event);
  }
  for (const { pod, before } of rejected) {
    const self = changeSelf(random, pod);
    note(self.pod, before, decide(self.pod, situation), self.event);
  }
  return found;
}

it.each(Object.entries(SITUATIONS))('notice each event after which a pod has a place: %s', (_name, kind) => {
  const found = Array.from({ length: 60 }, (_, index) => follow(kind.generate, index + 1));
  expect(found.flatMap(({ missed }) => missed)).toEqual([]);
  expect(found.reduce((sum, { helped }) => sum + helped, 0)).toBeGreaterThan(10);
});
