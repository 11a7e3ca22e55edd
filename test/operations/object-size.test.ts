import { expect, it } from 'vitest';
import { recordObjectSize } from '../../src/operations/object-size.ts';
import { isLarge } from '../../src/steps/run.ts';

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
