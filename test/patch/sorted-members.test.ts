import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/codec/json-parse.ts';
import { writePlainBeginning } from '../../src/codec/json-plain.ts';
import { literalsOf } from '../../src/codec/number-literals.ts';
import { sortDecodedMembers } from '../../src/patch/index.ts';
import { runNow } from '../../src/steps/run.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text)).value;

test('only decoded objects are sorted', () => {
  const tree = parse('{"b":{"d":1,"c":2},"a":[{"z":1,"y":2}]}') as { b: object };
  const sorted = runNow(sortDecodedMembers(tree, new Set([tree])));
  expect(JSON.stringify(sorted)).toBe('{"a":[{"z":1,"y":2}],"b":{"d":1,"c":2}}');
  const inner = runNow(sortDecodedMembers(tree, new Set([tree, tree.b])));
  expect(JSON.stringify(inner)).toBe('{"a":[{"z":1,"y":2}],"b":{"c":2,"d":1}}');
  expect(Object.keys(tree)).toEqual(['b', 'a']);
});

test('literals are kept', () => {
  const tree = parse('{"b":1e2,"a":[5.0]}') as { a: unknown[] };
  const sorted = runNow(sortDecodedMembers(tree, new Set<object>([tree, tree.a])));
  expect(writePlainBeginning(sorted, 100, { literals: literalsOf(sorted) })).toBe('{"a":[5.0],"b":1e2}');
});

test('the sorted tree is the text with sorted members', () => {
  fc.assert(
    fc.property(fc.object({ key: fc.string().map((key) => `k${key}`), values: [fc.integer()] }), (value) => {
      const tree = parse(JSON.stringify(value));
      const all = new Set<object>();
      const rest = [tree];
      for (let next = rest.pop(); next !== undefined; next = rest.pop())
        if (typeof next === 'object' && next !== null) {
          all.add(next);
          rest.push(...Object.values(next));
        }
      const sorted = runNow(sortDecodedMembers(tree, all));
      const unsorted = { isSorted: () => false };
      expect(writePlainBeginning(sorted, 1e9, unsorted)).toBe(writePlainBeginning(tree, 1e9));
    }),
  );
});
