import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/model/json-object.ts';
import {
  applyJsonPatch as applyJsonPatchInSteps,
  applyMergePatch as applyMergePatchInSteps,
  applyStrategicMergePatch as applyStrategicMergePatchInSteps,
} from '../../src/patch/index.ts';
import { atOnce } from '../support/at-once.ts';
import { plainObjects } from '../support/plain-objects.ts';
import { jsonPatchDiff, mergePatchDiff, strategicDiff } from '../support/strategic-diff.ts';
import { messageType } from '../support/types.ts';

const applyJsonPatch = atOnce(applyJsonPatchInSteps);
const applyMergePatch = atOnce(applyMergePatchInSteps);
const applyStrategicMergePatch = atOnce(applyStrategicMergePatchInSteps);

const TYPES = [
  'core_v1.Pod',
  'core_v1.PodSpec',
  'core_v1.Container',
  'core_v1.Service',
  'core_v1.Node',
  'apps_v1.Deployment',
  'meta_v1.ObjectMeta',
].map(messageType);

/** Another object with mostly the same keys: lists are reversed and lose an item, some strings change. */
function changed(value: unknown): unknown {
  if (Array.isArray(value))
    return value
      .slice(value.length > 2 ? 1 : 0)
      .map(changed)
      .reverse();
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key.length % 3 === 1 ? member : changed(member)]),
    );
  return typeof value === 'string' && value.length % 2 === 1 ? `${value}\u2260` : value;
}

describe.each(TYPES.map((type) => [type.name, type] as const))('two objects of %s', (_, type) => {
  const pairs = fc.tuple(plainObjects(type, 5), plainObjects(type, 5)).chain(([before, other]) =>
    // An object with parts of both has more in common with the first one than an independent object.
    fc
      .subarray(Object.keys(other))
      .map(
        (keys) =>
          [
            before,
            { ...before, ...Object.fromEntries(keys.map((key) => [key, other[key]])) },
            other,
          ] as const,
      ),
  );
  const expectDifference = (
    patch: (before: Record<string, unknown>, after: Record<string, unknown>) => unknown,
  ) =>
    fc.assert(
      fc.property(pairs, ([before, mixed, other]) => {
        const copy = structuredClone(before);
        for (const after of [mixed, other, changed(before) as Record<string, unknown>])
          expect(patch(before, after)).toEqual(after);
        expect(before).toEqual(copy);
      }),
      { numRuns: 60 },
    );

  it('a strategic merge patch of the difference produces the other object', () => {
    expectDifference((before, after) =>
      applyStrategicMergePatch(type, before, strategicDiff(type, before, after)),
    );
  });

  it('a JSON patch of the difference produces the other object', () => {
    expectDifference((before, after) => applyJsonPatch(before, jsonPatchDiff(before, after)));
  });

  it('a merge patch of the difference produces the other object', () => {
    expectDifference((before, after) => applyMergePatch(before, mergePatchDiff(before, after)));
  });
});
