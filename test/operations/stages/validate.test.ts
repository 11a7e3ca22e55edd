import { expect, it } from 'vitest';
import { schemeOf } from '../../../src/model/scheme.ts';
import type { Creation } from '../../../src/operations/stages/creation.ts';
import { validateNew } from '../../../src/operations/stages/validate.ts';
import { once } from '../../../src/steps/replay.ts';
import { stepSizes } from '../../../src/steps/sizes.ts';

it('the validation of a small request pauses when it takes long', async () => {
  let pauses = 0;
  const pause = async (): Promise<void> => void pauses++;
  const turns = { next: pause, pause, isOver: false };
  const object = { metadata: { name: 'a' } };
  const cost = stepSizes.checkMicroseconds;
  const check = (place: string) => once(object, { place, cost }, () => []);
  const resource = {
    row: { namespaced: false },
    strategy: { validate: () => ['a', 'b', 'c'].flatMap(check) },
  };
  const write = {
    context: { request: { workingSetBytes: 100, turns, scheme: schemeOf() }, resource },
    object,
  };
  await validateNew(write as unknown as Creation);
  expect(pauses).toBe(2);
});
