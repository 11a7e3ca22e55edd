import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareElements } from '../../src/apply/element-order.ts';
import {
  FieldSet,
  fieldSetOf,
  parseFieldsV1 as parseFieldsV1InSteps,
  serializeFieldsV1 as serializeFieldsV1InSteps,
} from '../../src/apply/index.ts';
import { formatPath, keyElement, parseElement } from '../../src/apply/path-element.ts';
import { atOnce } from '../support/at-once.ts';

const parseFieldsV1 = atOnce(parseFieldsV1InSteps);
const serializeFieldsV1 = atOnce(serializeFieldsV1InSteps);

const element = fc.oneof(
  fc.constantFrom('f:a', 'f:b', 'f:__proto__', 'f:constructor', 'f:x.y/z'),
  fc.constantFrom(
    'k:{"name":"a"}',
    'k:{"name":"b"}',
    'k:{"containerPort":80,"protocol":"TCP"}',
    'k:{"containerPort":443,"protocol":"TCP"}',
  ),
  fc.constantFrom('v:"x"', 'v:1', 'v:true', 'i:0', 'i:12'),
);
const fieldSet = fc
  .array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 12 })
  .map((paths) => fieldSetOf(...paths));
const texts = (set: FieldSet): string[] =>
  set
    .paths()
    .map((path) => path.join(' '))
    .sort();

describe('field sets', () => {
  test('sets round-trip through FieldsV1 text', () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        const text = serializeFieldsV1(set);
        const parsed = parseFieldsV1(text)!;
        expect(parsed.equals(set)).toBe(true);
        expect(serializeFieldsV1(parsed)).toBe(text);
        expect(JSON.parse(text)).toBeTypeOf('object');
      }),
    );
  });

  test('the union of many sets equals repeated unions', () => {
    fc.assert(
      fc.property(fc.array(fieldSet, { maxLength: 6 }), (sets) => {
        expect(FieldSet.unionOf(sets).equals(sets.reduce((all, set) => all.union(set), FieldSet.empty))).toBe(
          true,
        );
      }),
    );
  });

  test('set operations satisfy the laws of sets', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        const ours = new Set(texts(a));
        const theirs = new Set(texts(b));
        expect(texts(a.union(b))).toEqual([...new Set([...ours, ...theirs])].sort());
        expect(texts(a.intersection(b))).toEqual([...ours].filter((path) => theirs.has(path)).sort());
        expect(texts(a.difference(b))).toEqual([...ours].filter((path) => !theirs.has(path)).sort());
        const below = (path: string): boolean =>
          [...theirs].some((other) => path === other || path.startsWith(`${other} `));
        expect(texts(a.recursiveDifference(b))).toEqual([...ours].filter((path) => !below(path)).sort());
        expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
      }),
    );
  });

  test('the first paths are those of all paths', () => {
    fc.assert(
      fc.property(fieldSet, fc.nat(12), (set, maximum) => {
        expect(set.paths(maximum)).toEqual(set.paths().slice(0, maximum));
        expect(set.size).toBe(set.paths().length);
      }),
    );
  });

  test('operations without effect return the same set', () => {
    const set = fieldSetOf(['f:a', 'f:b'], ['f:c']);
    expect(set.union(fieldSetOf(['f:c']))).toBe(set);
    expect(set.difference(fieldSetOf(['f:d']))).toBe(set);
    expect(set.difference(set).isEmpty).toBe(true);
  });

  test('a member with members below it is written with a dot', () => {
    expect(serializeFieldsV1(fieldSetOf(['f:data'], ['f:data', 'f:x']))).toBe('{"f:data":{".":{},"f:x":{}}}');
    expect(serializeFieldsV1(fieldSetOf(['f:data']))).toBe('{"f:data":{}}');
    expect(serializeFieldsV1(FieldSet.empty)).toBe('{}');
  });

  test('items are sorted by their contents', () => {
    const set = fieldSetOf(['k:{"containerPort":443}'], ['k:{"containerPort":80}']);
    expect(serializeFieldsV1(set)).toBe('{"k:{\\"containerPort\\":80}":{},"k:{\\"containerPort\\":443}":{}}');
    expect(compareElements('f:b', 'k:{"a":1}')).toBeLessThan(0);
  });

  test.each(['{', '[]', '{"odd":{}}', '{"f:a":1}', '{"k:x":{}}', '{"k:[]":{}}', '{"i:x":{}}', '{"v:{":{}}'])(
    '%s is not a set',
    (text) => {
      expect(parseFieldsV1(text)).toBeUndefined();
    },
  );

  test.each([
    ['null', '{}'],
    ['{"g:a":{},"f:b":{"x:y":5}}', '{"f:b":{}}'],
    ['{"f:a":null,"f:b":{".":5,"f:c":{}}}', '{"f:a":{},"f:b":{".":{},"f:c":{}}}'],
  ])('%s is read as %s: nulls are leaves, elements of unknown types are left out', (text, read) => {
    expect(serializeFieldsV1(parseFieldsV1(text)!)).toBe(read);
  });

  test('elements are canonical', () => {
    expect(parseElement('k:{"b":1,"a":"x"}')).toBe('k:{"a":"x","b":1}');
    expect(keyElement({ name: 'a' }, ['name', 'protocol'], new Map([['protocol', 'TCP']]))).toBe(
      'k:{"name":"a","protocol":"TCP"}',
    );
  });

  test('paths are readable', () => {
    expect(formatPath(['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image'])).toBe(
      '.spec.containers[name="c"].image',
    );
    expect(formatPath(['f:finalizers', 'v:"x"', 'i:3'])).toBe('.finalizers[="x"][3]');
  });
});

test('equal items of a long list are in memory once', () => {
  const items = Array.from({ length: 600 }, (_, index) => `k:{"name":"${index}"}`);
  const paths = items.flatMap((item, index) => [
    ['f:list', item],
    ['f:list', item, 'f:name'],
    ['f:list', item, 'f:resources', index % 2 === 0 ? 'f:limits' : 'f:requests'],
  ]);
  const list = fieldSetOf(...paths).children.get('f:list')!;
  const last = items.at(-1)!;
  expect(new Set(items.slice(300).map((item) => list.children.get(item))).size).toBe(2);
  expect(
    list.children.get(last)!.equals(
      fieldSetOf(...paths.slice(-3))
        .children.get('f:list')!
        .children.get(last)!,
    ),
  ).toBe(true);
  expect(list.size).toBe(3 * items.length);
});

test('a member of a set can get members below it, in any order', () => {
  expect(serializeFieldsV1(fieldSetOf(['f:a'], ['f:a', 'f:b'], ['f:a']))).toBe('{"f:a":{".":{},"f:b":{}}}');
  expect(serializeFieldsV1(fieldSetOf(['f:a', 'f:b'], ['f:a']))).toBe('{"f:a":{".":{},"f:b":{}}}');
});
