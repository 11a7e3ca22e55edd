import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Container } from '../../../src/model/generated/core-v1.ts';
import { phaseOf } from '../../../src/nodes/pods/status.ts';
import { SimulatedPod } from './simulated-pod.ts';

const script = fc.constantFrom(
  'true',
  'false',
  'sleep 1',
  'sleep 7; exit 2',
  'sleep infinity',
  'sleep 400; exit 1',
);
const container = (name: string): fc.Arbitrary<Container> =>
  script.map((text) => ({ name, image: 'i:1', command: ['sh', '-c', text] }));
const initContainer = (name: string): fc.Arbitrary<Container> =>
  fc
    .tuple(container(name), fc.boolean())
    .map(([one, isSidecar]) => ({ ...one, ...(isSidecar && { restartPolicy: 'Always' }) }));
const containers = (prefix: string, make: (name: string) => fc.Arbitrary<Container>, least: number) =>
  fc
    .integer({ min: least, max: 3 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => make(`${prefix}${index}`))));

const pods = fc.record({
  spec: fc.record({
    restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
    initContainers: containers('i', initContainer, 0),
    containers: containers('c', container, 1),
    activeDeadlineSeconds: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
  }),
  annotations: fc.dictionary(
    fc
      .constantFrom(
        'ready-delay',
        'exit-code',
        'exit-after',
        'exit-codes-by-restart',
        'flapping',
        'stop-delay',
        'kill',
      )
      .map((name) => `sim.binnacle.dev/${name}`),
    fc.constantFrom('never', '1', '3s', '1,1,0', '1500ms', 'grace', 'OOMKilled', 'nonsense'),
    { maxKeys: 3 },
  ),
  times: fc.record({ readyDelay: fc.constantFrom(0, 100, 5000), stopDelay: fc.constantFrom(0, 50) }),
});
const actions = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 400_000 }).map((milliseconds) => ({ do: 'pass' as const, milliseconds })),
    fc.constant({ do: 'restart' as const }),
    fc.constant({ do: 'step' as const }),
    fc.constant({ do: 'delete' as const }),
  ),
  { maxLength: 8 },
);

const ORDER: Readonly<Record<string, number>> = { Pending: 0, Running: 1, Succeeded: 2, Failed: 2 };

it('a Pod goes forward only, is at rest between two due times, and follows its restart policy', () => {
  fc.assert(
    fc.property(pods, actions, ({ spec, annotations, times }, todo) => {
      const pod = new SimulatedPod(spec, { annotations }, times);
      let phase = 0;
      const restarts = new Map<string, number>();
      const check = (): void => {
        const next = ORDER[pod.status.phase!]!;
        expect(next).toBeGreaterThanOrEqual(phase);
        phase = next;
        if (pod.last?.due !== undefined) expect(pod.last.due).toBeGreaterThan(pod.now);
        for (const { name, restartCount } of pod.status.containerStatuses ?? []) {
          expect(restartCount).toBeGreaterThanOrEqual(restarts.get(name!) ?? 0);
          restarts.set(name!, restartCount!);
        }
        const isDeleted = pod.pod.metadata!.deletionTimestamp !== undefined;
        if (spec.restartPolicy === 'Always' && spec.activeDeadlineSeconds === undefined && !isDeleted)
          expect(pod.status.phase).not.toMatch(/Succeeded|Failed/);
        // Nothing is left to write.
        const written = pod.history.length;
        pod.step();
        expect(pod.history).toHaveLength(written);
        if (pod.last?.status !== undefined) expect(pod.status.phase).toBe(phaseOf(pod.known));
      };
      check();
      for (const action of todo) {
        if (action.do === 'pass') pod.pass(action.milliseconds);
        else if (action.do === 'restart') pod.restartNode();
        else if (action.do === 'step') pod.step();
        else if (pod.pod.metadata!.deletionTimestamp === undefined) pod.delete(5);
        check();
        if (pod.isRemoved) return;
      }
      if (pod.pod.metadata!.deletionTimestamp === undefined) pod.delete(5);
      expect(pod.pass(5000).isRemoved).toBe(true);
    }),
    { numRuns: 300 },
  );
});
