import fc from 'fast-check';
import { parseJson } from '../../../src/codec/json-parse.ts';
import { writePlain } from '../../../src/codec/json-plain.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  sortDecodedMembers,
} from '../../../src/patch/index.ts';
import { withoutNulls } from '../../../src/patch/merge-patch.ts';
import { isWrittenAs, valuePlaces } from '../../../src/patch/value-texts.ts';
import { plainObjects } from '../../support/plain-objects.ts';
import { jsonPatchDiff, mergePatchDiff, strategicDiff } from '../../support/strategic-diff.ts';
import { messageType } from '../../support/types.ts';
import { jsonTexts, trees } from './inputs.ts';
import { paceCase } from './pace-case.ts';

const podSpec = messageType('core_v1.PodSpec');
const pairs = fc.tuple(plainObjects(podSpec, 5), plainObjects(podSpec, 5));
const documents = jsonTexts.object.map((text) => {
  try {
    return parseJson(Buffer.from(text)).value as object;
  } catch {
    return { a: [1] };
  }
});
const directives = fc.constantFrom(
  {},
  { $retainKeys: ['containers'] },
  { '$setElementOrder/containers': [{ name: 'x' }] },
  { containers: [{ name: 'x', $patch: 'delete' }, { $patch: 'replace' }] },
  { '$deleteFromPrimitiveList/containers': ['x'] },
  { $patch: 'replace', a: 1 },
);

/** All containers of a tree. */
function containersOf(root: unknown): Set<object> {
  const found = new Set<object>();
  const rest = [root];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    found.add(value);
    rest.push(...Object.values(value).filter((member) => member !== undefined));
  }
  return found;
}

export const PATCH_CASES = [
  paceCase('patch/json-patch.ts applyJsonPatch', pairs, ([before, after]) =>
    applyJsonPatch(before, jsonPatchDiff(before, after)),
  ),
  paceCase(
    'patch/json-patch.ts applyJsonPatch',
    fc.tuple(documents, documents, fc.constantFrom('/a', '/a/0', '/b', '', '/a/-')),
    ([document, value, path]) => {
      const patch = [
        { op: 'add', path: '/b', value },
        { op: 'copy', from: '/b', path: '/c' },
        { op: 'test', path: '/c', value },
        { op: 'replace', path, value },
        { op: 'remove', path },
      ];
      return applyJsonPatch(document, patch, new Set(), writePlain(patch));
    },
  ),
  paceCase('patch/merge-patch.ts applyMergePatch', pairs, ([before, after]) =>
    applyMergePatch(before, mergePatchDiff(before, after)),
  ),
  paceCase('patch/merge-patch.ts withoutNulls', trees.tree, (tree) => withoutNulls(tree)),
  paceCase('patch/sorted-members.ts sortDecodedMembers', documents, function* (document) {
    return JSON.stringify(yield* sortDecodedMembers(document, containersOf(document)), bigints);
  }),
  paceCase(
    [
      'patch/strategic-merge-patch.ts applyStrategicMergePatch',
      'patch/strategic-directives.ts withoutDirectives',
      'patch/strategic-order.ts orderItems',
      'patch/strategic-order.ts checkOrder',
      'patch/strategic-order.ts uniqueOf',
    ],
    fc.tuple(pairs, directives),
    ([[before, after], directive]) =>
      applyStrategicMergePatch(podSpec, before, { ...strategicDiff(podSpec, before, after), ...directive }),
  ),
  paceCase(
    ['patch/value-texts.ts valuePlaces', 'patch/value-texts.ts isWrittenAs'],
    fc.tuple(documents, documents),
    function* ([value, other]) {
      const text = writePlain([
        { op: 'test', path: '/a', value },
        { op: 'add', value: other },
      ]);
      const places = yield* valuePlaces(text);
      const written: boolean[] = [];
      for (const place of places.values()) written.push(yield* isWrittenAs(text, place, value));
      return [places, written];
    },
  ),
];

const bigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
