import { describe, expect, it } from 'vitest';
import {
  Budget,
  compileJsonPath,
  JsonPathError,
} from '../../../../src/extensions/custom-resources/json-path/index.ts';

const object = {
  kind: 'Co',
  spec: {
    l: ['a', 'b', 'c', 'd'],
    m: { 'a b': 'spaced', plain: 'p' },
    conds: [
      { type: 'Ready', status: 'True', n: 1 },
      { type: 'Done', status: 'False', n: 2, f: 1.5, b: true },
      { type: 'Ready', status: 'Again' },
    ],
    nested: [{ inner: [{ x: 1 }] }, { inner: [{ x: 2 }] }],
    'dotted.key': 'dk',
    ['__proto__']: 'own',
    none: null,
  },
};
const first = (path: string, root: object = object) => compileJsonPath(path).first(root, new Budget(10_000));

describe('JSON paths', () => {
  it.each([
    ['.kind', 'Co'],
    ['.spec.conds[?(@.type=="Ready")].status', 'True'],
    ["$.spec.conds[?(@.type=='Done')].status", 'False'],
    ['.spec.conds[*].status', 'True'],
    ['.spec.l[-1]', 'd'],
    ['.spec.l[-2]', 'c'],
    ['.spec.l[0:2]', 'a'],
    ['.spec.l[1:]', 'b'],
    ['.spec.l[-2:]', 'c'],
    ['.spec.l[3:4:2]', 'd'],
    ['.spec.l[2,0]', 'c'],
    ['.spec.l[]', 'a'],
    ['.spec.m.*', 'spaced'],
    [".spec['m'].plain", 'p'],
    [".spec.m['absent','plain']", 'p'],
    ['.spec.dotted\\.key', 'dk'],
    ['..type', 'Ready'],
    ['..inner[0].x', 1],
    ['.spec.nested[*].inner[?(@.x==2)].x', 2],
    ['.spec.conds[?(@.n>1)].type', 'Done'],
    ['.spec.conds[?(@.n>=2)].type', 'Done'],
    ['.spec.conds[?(@.n<2)].type', 'Ready'],
    ['.spec.conds[?(@.n<=1)].type', 'Ready'],
    ['.spec.conds[?(@.n!=1)].type', 'Done'],
    ['.spec.conds[?(@.f==1.5)].type', 'Done'],
    ['.spec.conds[?(@.b==true)].type', 'Done'],
    ['.spec.conds[?(@.type>"Done")].type', 'Ready'],
    ['.spec.conds[?(@.f)].type', 'Done'],
    ['.spec.l[?(@=="c")]', 'c'],
    ['.spec.l[?(@=="\\x63")]', 'c'],
    ['.spec.none', null],
    ['.spec.__proto__', 'own'],
  ])('%s is %j', (path, value) => {
    expect(first(path)).toEqual(value);
  });

  it.each([
    '.spec.absent',
    '.spec.l[9]',
    '.spec.l[-5]',
    '.spec.l[3:1]',
    '.spec.l[0:9]',
    '.spec.l[0:2:0]',
    '.spec.kind[0]',
    '.kind[0]',
    '.kind.x',
    '.spec.m[?(@.x)]',
    ".spec.m['a b']",
    '.spec.conds[?(@.n>1.5)].type',
    '.spec.conds[?(@.b>true)].type',
    '.spec.conds[?(@.type=="None")].status',
    '.spec word',
    '.constructor',
    '.spec.conds.constructor',
  ])('%s has no value', (path) => {
    expect(first(path)).toBeUndefined();
  });

  it.each([
    '.spec[',
    '.spec[a]',
    '.spec[-]',
    '.spec....x',
    '.spec..*',
    '.spec[?(@.x',
    '.spec[?(@.x=="a)]',
    '.spec[?(@.x=="a"))',
    '.spec[?(@.x=~"a")]',
    '.spec.x "a',
    '.spec.x "\\q"',
    '.spec.x 1.2.3',
    '.spec\n',
  ])('%s is refused', (path) => {
    expect(() => compileJsonPath(path)).toThrow(JsonPathError);
  });

  it('refuses long texts and deep nesting', () => {
    expect(() => compileJsonPath('.x'.repeat(6000))).toThrow('too long');
    let nested = '@.x';
    for (let level = 0; level < 20; level += 1) nested = `[?("a"==${nested})]`;
    expect(() => compileJsonPath(nested)).toThrow(JsonPathError);
  });

  it('shares the compiled form of equal texts', () => {
    expect(compileJsonPath('.spec.shared')).toBe(compileJsonPath('.spec.shared'));
  });

  it('ends an evaluation whose cost exceeds the budget', () => {
    const wide = { l: Array.from({ length: 300 }, () => ({ l: Array.from({ length: 5 }, () => ({})) })) };
    expect(first('..l[0]', wide)).toEqual({ l: expect.any(Array) });
    expect(compileJsonPath('..l[0]').first(wide, new Budget(500))).toBeUndefined();
    expect(compileJsonPath('.l[?(@..absent)]').first(wide, new Budget(500))).toBeUndefined();
  });

  it('descends into deeply nested values without recursion', () => {
    let deep: object = { x: 1 };
    for (let level = 0; level < 9000; level += 1) deep = { a: deep };
    expect(compileJsonPath('..x').first(deep, new Budget(100_000))).toBe(1);
  });
});
