import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FieldSet } from '../../src/apply/field-set.ts';
import { readFieldsV1 } from '../../src/apply/fields-v1-reader.ts';
import { isUnknownElement, parseElement } from '../../src/apply/path-element.ts';
import { runNow } from '../../src/steps/run.ts';

/** What the text means, by its parsed JSON. */
function setOf(text: string): FieldSet | undefined {
  try {
    return nodeOf(JSON.parse(text), true);
  } catch {
    return undefined;
  }
}

function nodeOf(value: unknown, isRoot = false): FieldSet {
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error('no node');
  const children = new Map<string, FieldSet>();
  const members = Object.entries(value ?? {});
  for (const [key, below] of members) {
    if (key === '.' || isUnknownElement(key)) continue;
    const element = parseElement(key);
    if (element === undefined) throw new Error('no element');
    children.set(element, nodeOf(below));
  }
  if (children.size === 0) return isRoot ? FieldSet.empty : FieldSet.leaf;
  return new FieldSet(
    members.some(([key]) => key === '.'),
    children,
  );
}

const keys = fc.constantFrom(
  '.',
  'f:a',
  'f:\\u0041"}',
  'f:__proto__',
  'k:{"a":1,"b":"x"}',
  'k:{"b":"x","a":1}',
  'v:"é<"',
  'v:-0',
  'i:01',
  'x:new',
  'odd',
  'k:[]',
);
const space = fc.constantFrom('', ' ', '\n\t', '\r');
const values = fc.constantFrom('{}', 'null', '{}', '{}', '5', '"}"', '[{"a":"]"},1]', '{"b":[]}');
const texts = fc.letrec<{ node: string }>((tie) => ({
  node: fc
    .tuple(
      space,
      // Of a repeated member JSON.parse sees the last one only.
      fc.uniqueArray(fc.tuple(keys, space, fc.oneof({ depthSize: 'small' }, values, tie('node'))), {
        maxLength: 4,
        selector: ([key]) => key,
      }),
    )
    .map(
      ([gap, members]) =>
        `{${gap}${members.map(([key, around, value]) => `${JSON.stringify(key)}${around}:${gap}${value}${around}`).join(`,${gap}`)}}`,
    ),
})).node;
/** Texts with a piece that is removed or repeated, or a character of JSON in between. */
const broken = fc
  .tuple(texts, fc.nat(), fc.nat(3), fc.constantFrom('', ',', '}', '{', '"', ':', 'null', '\\', ' '))
  .map(([text, seed, length, inserted]) => {
    const at = seed % (text.length + 1);
    return text.slice(0, at) + inserted + text.slice(at + length);
  });

it('reads a set as its parsed JSON, and refuses the same texts', () => {
  let sets = 0;
  let refused = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const expected = setOf(text);
      const found = runNow(readFieldsV1(text));
      if (expected === undefined) refused += 1;
      else sets += 1;
      expect(found === undefined, text).toBe(expected === undefined);
      if (found !== undefined) expect(found.equals(expected!), text).toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(sets, refused)).toBeGreaterThan(300);
});

it('refuses what is no JSON', () => {
  let malformed = 0;
  fc.assert(
    fc.property(broken, (text) => {
      try {
        JSON.parse(text);
      } catch {
        malformed += 1;
        expect(runNow(readFieldsV1(text)), text).toBeUndefined();
      }
    }),
    { numRuns: 3000 },
  );
  expect(malformed).toBeGreaterThan(300);
});

it('bounds the depth', () => {
  const deep = (depth: number): string => `${'{"f:a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
  expect(runNow(readFieldsV1(deep(900)))).toBeDefined();
  expect(runNow(readFieldsV1(deep(100_000)))).toBeUndefined();
});

it('has equal items in memory once', () => {
  const items = Array.from({ length: 300 }, (_, index) => `"k:{\\"a\\":${index}}":{".":{},"f:a":{}}`);
  const { children } = runNow(readFieldsV1(`{${items.join(',')}}`))!;
  expect(new Set([...children.values()].slice(100)).size).toBe(1);
});
