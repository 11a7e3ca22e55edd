import { expect, it } from 'vitest';
import { recordObjectSize, validate } from '../../src/operations/validation.ts';
import type { RequestContext } from '../../src/request/context.ts';
import { once } from '../../src/steps/replay.ts';
import { isLarge } from '../../src/steps/run.ts';
import { stepSizes } from '../../src/steps/sizes.ts';

it.each([
  ['that defaults made large', () => false, true],
  ['that is small', () => true, false],
  ['of a kind whose defaults are small', undefined, false],
])('an object %s makes its request large: %o', (_what, isSmall, expected) => {
  const request = { workingSetBytes: 100 } as Parameters<typeof recordObjectSize>[0];
  const resource = { schema: { ...(isSmall && { isSmall }) } } as unknown as Parameters<
    typeof recordObjectSize
  >[1];
  recordObjectSize(request, resource, {});
  expect(isLarge(request)).toBe(expected);
});

it('the validation of a small request pauses when it takes long', async () => {
  let pauses = 0;
  const pause = async (): Promise<void> => void pauses++;
  const turns = { next: pause, pause, isOver: false };
  const object = {};
  const cost = stepSizes.checkMicroseconds;
  const check = (place: string) => once(object, { place, cost }, () => []);
  const validation = validate(
    { workingSetBytes: 100, turns } as unknown as RequestContext,
    () => [],
    () => ['a', 'b', 'c'].flatMap(check),
  );
  expect(await validation).toEqual([]);
  expect(pauses).toBe(2);
});
