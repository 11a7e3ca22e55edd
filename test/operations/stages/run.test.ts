import { expect, it } from 'vitest';
import { schemeOf } from '../../../src/model/scheme.ts';
import type { OperationContext } from '../../../src/operations/environment.ts';
import { attempt, runStages, type Stage } from '../../../src/operations/stages/run.ts';
import { Write } from '../../../src/operations/stages/write.ts';
import type { TransactionOutcome } from '../../../src/operations/transact.ts';

class SomeWrite extends Write<string> {
  readonly steps: string[] = [];
}

/** A write of a request of some size, whose turns are counted. */
function someWrite(bytes: number): { readonly write: SomeWrite; pauses: number } {
  const counted = { pauses: 0 };
  const turns = {
    isOver: false,
    pause: async () => {
      counted.pauses += 1;
    },
  };
  const context = {
    request: { workingSetBytes: bytes, turns, scheme: schemeOf() },
    resource: { row: {} },
    environment: {},
  };
  const write = new SomeWrite(
    context as unknown as OperationContext,
    'CREATE',
    'a',
    undefined,
    undefined,
    undefined,
  );
  return Object.assign(counted, { write });
}

const step =
  (name: string): Stage<SomeWrite> =>
  ({ steps }) => {
    steps.push(name);
  };
const end: Stage<SomeWrite> = (write) => {
  write.result = { result: 'ended' };
};
const THREE = ['one', 'two', 'three'];

it('runs the stages of a small request at once', () => {
  const { write } = someWrite(0);
  void runStages(write, THREE.map(step));
  expect(write.steps).toEqual(THREE);
});

it('lets others work before each stage of a large request', async () => {
  const some = someWrite(1 << 20);
  const running = runStages(some.write, THREE.map(step));
  expect(some.write.steps).toEqual([]);
  await running;
  expect([some.write.steps, some.pauses]).toEqual([THREE, 3]);
});

it('waits for a stage, and runs none after the one that ends the attempt', async () => {
  const { write } = someWrite(0);
  const late: Stage<SomeWrite> = async ({ steps }) => {
    await undefined;
    steps.push('late');
  };
  expect(await attempt(write, [late, step('two'), end, step('never')])).toEqual({ result: 'ended' });
  expect(write.steps).toEqual(['late', 'two']);
});

it.each<[TransactionOutcome | undefined, string[]]>([
  [{ state: 'stored', revision: 2 }, ['commit']],
  [{ state: 'lost', current: { record: undefined, revision: 2 } }, ['rollback']],
  [{ state: 'unknown', error: new Error('no answer') }, []],
  [undefined, ['rollback']],
])('after %o what was reserved is settled by %o', async (outcome, settled) => {
  for (const fails of [false, true]) {
    const { write } = someWrite(0);
    const reserve: Stage<SomeWrite> = ({ reservations, steps }) =>
      reservations.hold({
        commit: () => void steps.push('commit'),
        rollback: () => void steps.push('rollback'),
      });
    const send: Stage<SomeWrite> = (sent) => {
      sent.outcome = outcome;
      if (fails) throw new Error('later');
    };
    const done = attempt(write, [reserve, send, end]);
    if (fails) await expect(done).rejects.toThrow('later');
    else await done;
    expect(write.steps).toEqual(settled);
  }
});
