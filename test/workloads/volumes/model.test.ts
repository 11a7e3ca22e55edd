import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/model/generated/core-v1.ts';
import { CLAIMS, STORAGE_CLASSES, VOLUMES } from '../../../src/reconcile/resources.ts';
import { SIMULATED_PROVISIONER } from '../../../src/reconcile/volumes/annotations.ts';
import { planClaim } from '../../../src/workloads/volumes/claim-plan.ts';
import { claim, reference, storageClass, view, volume } from './objects.ts';
import { World } from './world.ts';

const MODES = [['ReadWriteOnce'], ['ReadWriteOnce', 'ReadWriteMany']];
const CLASSES = ['static', 'static', 'static', 'simulated', 'delayed'];

const CLASS_OBJECTS = [
  storageClass('simulated', { provisioner: SIMULATED_PROVISIONER }),
  storageClass('delayed', { volumeBindingMode: 'WaitForFirstConsumer' }),
];

const number = fc.nat({ max: 3 });
const size = fc.constantFrom('1Gi', '2Gi');
const modes = fc.constantFrom(...MODES);
const className = fc.constantFrom(...CLASSES);
const policy = fc.constantFrom('Retain', 'Delete', 'Recycle');
const shared = { number, size, modes, className };

const step = fc.oneof(
  fc.record({ does: fc.constant('claim' as const), ...shared, wants: fc.option(number, { freq: 1 }) }),
  fc.record({
    does: fc.constant('volume' as const),
    ...shared,
    policy,
    reserved: fc.option(number, { freq: 1 }),
  }),
  fc.record({ does: fc.constantFrom('removeClaim' as const, 'removeVolume' as const), number }),
  fc.record({
    does: fc.constant('fault' as const),
    fault: fc.constantFrom('refused' as const, 'lost' as const),
  }),
  fc.record({ does: fc.constant('settle' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function perform(world: World, one: Step): void {
  if (one.does === 'claim') createClaim(world, one);
  else if (one.does === 'volume') createVolume(world, one);
  else if (one.does === 'removeClaim') world.remove(CLAIMS, `ns/claim-${one.number}`);
  else if (one.does === 'removeVolume') world.remove(VOLUMES, `volume-${one.number}`);
  else if (one.does === 'fault') world.fault = one.fault;
}

function createClaim(
  world: World,
  {
    number: n,
    size: storage,
    modes: accessModes,
    className: storageClassName,
    wants,
  }: Extract<Step, { does: 'claim' }>,
): void {
  const name = `claim-${n}`;
  if (world.source(CLAIMS).has(`ns/${name}`)) return;
  const spec = {
    accessModes,
    storageClassName,
    resources: { requests: { storage } },
    ...(wants !== null && { volumeName: `volume-${wants}` }),
  };
  const created = claim(name, spec);
  created.metadata!.uid = world.newUid();
  world.put(CLAIMS, created);
}

function createVolume(
  world: World,
  {
    number: n,
    size: storage,
    modes: accessModes,
    className: storageClassName,
    policy: persistentVolumeReclaimPolicy,
    reserved,
  }: Extract<Step, { does: 'volume' }>,
): void {
  const name = `volume-${n}`;
  if (world.source(VOLUMES).has(name)) return;
  const spec = {
    accessModes,
    storageClassName,
    persistentVolumeReclaimPolicy,
    capacity: { storage },
    hostPath: { path: `/tmp/${name}` },
    ...(reserved !== null && { claimRef: reference(`claim-${reserved}`) }),
  };
  world.put(VOLUMES, volume(name, spec, { phase: 'Pending' }));
}

const isPending = ({ status, spec }: PersistentVolumeClaim): boolean =>
  status?.phase === 'Pending' && (spec?.volumeName ?? '') === '';

/** What is wrong with objects to which nothing happens any more. */
function* faults({ volumes, claims }: { volumes: PersistentVolume[]; claims: PersistentVolumeClaim[] }) {
  for (const { metadata, spec, status } of claims) {
    const bound = volumes.find((one) => one.metadata!.name === spec!.volumeName);
    if (status!.phase === 'Bound' && bound?.spec?.claimRef?.uid !== metadata!.uid)
      yield `${metadata!.name} has a volume of another claim`;
  }
  for (const { metadata, spec, status } of volumes) {
    const owner = claims.find((one) => one.metadata!.uid === spec!.claimRef?.uid);
    if (status!.phase === 'Bound' && owner?.spec?.volumeName !== metadata!.name)
      yield `${metadata!.name} is bound to a claim that does not have it`;
    if (status!.phase === 'Pending') yield `${metadata!.name} was not looked at`;
  }
  for (const one of claims) {
    const { does } = planClaim(one, view(volumes, { classes: CLASS_OBJECTS }));
    const phase = one.status!.phase!;
    if (does === 'bind' && phase !== 'Bound') yield `${one.metadata!.name} could be bound, but is ${phase}`;
    if (does === 'lose' && phase !== 'Lost') yield `${one.metadata!.name} is lost, but ${phase}`;
    if (one.spec!.storageClassName === 'simulated' && isPending(one))
      yield `${one.metadata!.name} got no volume`;
  }
}

it('binds each claim to one volume and each volume to one claim, whatever users do and whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (steps, choices) => {
        const world = new World();
        for (const one of CLASS_OBJECTS) world.put(STORAGE_CLASSES, one);
        const settle = () => world.settle((count) => choices.next().value! % count);
        for (const one of steps) {
          perform(world, one);
          if (one.does === 'settle') await settle();
        }
        world.fault = undefined;
        await settle();
        expect(world.broken).toEqual([]);
        expect([...faults(world)]).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});
