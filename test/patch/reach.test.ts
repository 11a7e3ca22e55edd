import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyJsonPatch as applyJsonPatchInSteps,
  applyMergePatch as applyMergePatchInSteps,
  jsonPatchReaches,
  mergePatchReaches,
} from '../../src/patch/index.ts';
import { ApiError } from '../../src/status/index.ts';
import { atOnce } from '../support/at-once.ts';

const applyJsonPatch = atOnce(applyJsonPatchInSteps);
const applyMergePatch = atOnce(applyMergePatchInSteps);

const PATH = ['metadata', 'managedFields'];
const document = () => ({
  metadata: { name: 'a', labels: { x: 'y' }, managedFields: [{ manager: 'm' }] },
  spec: { a: [1, 2] },
});
const withoutEntries = () => {
  const whole = document();
  return { ...whole, metadata: { name: whole.metadata.name, labels: whole.metadata.labels } };
};

describe('members reached by a patch', () => {
  it.each<[boolean, unknown]>([
    [false, []],
    [false, [{ op: 'add', path: '/metadata/labels/z', value: 1 }]],
    [false, [{ op: 'replace', path: '/spec', value: {} }]],
    [true, [{ op: 'test', path: '', value: {} }]],
    [true, [{ op: 'remove', path: '/metadata' }]],
    [true, [{ op: 'test', path: '/metadata/managedFields/0/manager', value: 'm' }]],
    [true, [{ op: 'copy', from: '/metadata', path: '/spec/a' }]],
    [true, [{ op: 'move', from: '/metadata/managedFields/0', path: '/spec/a/0' }]],
    [false, [{ op: 'remove', path: 'nothing' }]],
    [false, [{ op: 'add', path: '/metadata'.repeat(20_000), value: 1 }]],
    [true, [{ op: 'remove', path: 7 }]],
    [true, [null]],
    [true, {}],
  ])('%s for the JSON patch %j', (reaches, patch) => expect(jsonPatchReaches(patch, PATH)).toBe(reaches));

  it.each<[boolean, unknown]>([
    [false, {}],
    [false, { spec: null }],
    [false, { metadata: { labels: { managedFields: 'x' } } }],
    [false, { metadata: { '$setElementOrder/ownerReferences': [{ uid: 'u' }] } }],
    [false, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }],
    [true, { metadata: { managedFields: null } }],
    [true, { metadata: { '$setElementOrder/managedFields': [] } }],
    [true, { '$setElementOrder/metadata': [] }],
    [true, { metadata: null }],
    [true, { metadata: [] }],
    [true, null],
    [true, { $patch: 'replace' }],
    [true, { metadata: { $retainKeys: ['name'] } }],
  ])('%s for the merge patch %j', (reaches, patch) => expect(mergePatchReaches(patch, PATH)).toBe(reaches));

  const pointer = fc.array(
    fc.constantFrom('metadata', 'managedFields', 'labels', 'name', 'spec', 'a', '0', '-', 'x', '~0', ''),
    { maxLength: 3 },
  );
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'test', 'move', 'copy'),
      path: pointer.map((tokens) => tokens.map((token) => `/${token}`).join('')),
      from: pointer.map((tokens) => tokens.map((token) => `/${token}`).join('')),
      value: fc.constantFrom<unknown>(null, 1, {}, [{ manager: 'm' }], 'a'),
    },
    { requiredKeys: ['op', 'path'] },
  );
  const outcome = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      if (error instanceof ApiError) return error.code;
      throw error;
    }
  };
  const withEntries = (result: unknown): unknown => {
    if (typeof result !== 'object' || result === null) return result;
    const { metadata } = result as { metadata: object };
    return { ...result, metadata: { ...metadata, managedFields: document().metadata.managedFields } };
  };

  it('a JSON patch that does not reach a member has the same effect without it', () => {
    let seen = 0;
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 3 }), (patch) => {
        if (jsonPatchReaches(patch, PATH)) return;
        seen += 1;
        const patched = outcome(() => applyJsonPatch(withoutEntries(), patch));
        expect(withEntries(patched)).toEqual(outcome(() => applyJsonPatch(document(), patch)));
      }),
      { numRuns: 1000 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  it('a merge patch that does not reach a member has the same effect without it', () => {
    const member = fc.constantFrom('metadata', 'managedFields', 'labels', 'name', 'spec', 'a');
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(null, 1, 'a', []),
        fc.dictionary(member, tie('node'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(member, node, { maxKeys: 3 }), (patch) => {
        if (mergePatchReaches(patch, PATH)) return;
        expect(withEntries(applyMergePatch(withoutEntries(), patch))).toEqual(
          applyMergePatch(document(), patch),
        );
      }),
      { numRuns: 500 },
    );
  });
});
