import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyMergePatch as applyMergePatchInSteps } from '../../src/patch/index.ts';
import { atOnce } from '../support/at-once.ts';

const applyMergePatch = atOnce(applyMergePatchInSteps);

describe('JSON Merge Patch', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j', (document, patch, expected) => {
    expect(applyMergePatch(document, patch)).toEqual(expected);
  });

  test('a patch that is not an object is refused', () => {
    expect(() => applyMergePatch({}, [1])).toThrow(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
    expect(() => applyMergePatch({}, null)).toThrow('Invalid JSON Patch');
  });

  test('deep patches do not overflow the stack', () => {
    let patch: unknown = 'end';
    for (let depth = 0; depth < 100_000; depth += 1) patch = { a: patch };
    expect(Object.keys(applyMergePatch({ a: {} }, patch) as object)).toEqual(['a']);
  });

  test('pauses among many members', () => {
    const labels = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 'v']));
    for (const [document, patch] of [
      [{}, { labels }],
      [{ labels: {} }, { labels }],
      [{}, { list: [labels] }],
    ]) {
      const steps = applyMergePatchInSteps(document, patch);
      let pauses = 0;
      while (steps.next().done !== true) pauses += 1;
      expect(pauses).toBeGreaterThan(5);
    }
  });

  test('inputs are not modified, and applying a patch is idempotent', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    // As in kube-apiserver, nulls in a list stay where the list replaces an object, and go where it replaces a list.
    const keepsNulls = (patch: unknown): boolean => /\[.*null.*\]/s.test(JSON.stringify(patch));
    fc.assert(
      fc.property(value, value, (document, patch) => {
        const before = JSON.stringify([document, patch]);
        const once = applyMergePatch(document, patch);
        if (!keepsNulls(patch)) expect(applyMergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify([document, patch])).toBe(before);
      }),
    );
  });
});
