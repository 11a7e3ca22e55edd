import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from '../../src/patch/index.ts';
import { PatchTestError } from '../../src/patch/json-patch.ts';
import { runNow } from '../../src/steps/run.ts';

const DOCUMENT = {
  one: 1,
  half: 1.5,
  large: 1e21,
  exact: 9007199254740993n,
  less: 'a<b',
  line: 'a\n',
  accent: 'é',
  nothing: null,
  'a"b\\': 'key',
  list: [1, [true, { x: 'y' }], {}],
  nested: { a: { b: [] }, c: 2, value: 3 },
};

/** Whether the tests of a patch, given as text, succeed. */
function succeeds(text: string): boolean {
  try {
    runNow(applyJsonPatch(structuredClone(DOCUMENT), JSON.parse(text), undefined, text));
    return true;
  } catch (error) {
    if (error instanceof PatchTestError) return false;
    throw error;
  }
}

const testing = (path: string, value: string) => `[{"op":"test","path":"${path}","value":${value}}]`;

describe('a test of a JSON patch', () => {
  it.each([
    ['/one', '1'],
    ['/half', '1.5'],
    ['/large', '1e+21'],
    ['/less', '"a\\u003cb"'],
    ['/line', '"a\\n"'],
    ['/accent', '"é"'],
    ['/nothing', 'null'],
    ['/absent', 'null'],
    ['/a\\"b\\\\', '"key"'],
    ['/list', ' [ 1 , [ true , { "x" : "y" } ] , { } ] '],
    ['/nested', '{"value":3,"c":2,"\\u0061":{"b":[]}}'],
    ['/list/1/1/x', '"y"'],
  ])('of %s succeeds with %s, the text of the value', (path, value) =>
    expect(succeeds(testing(path, value))).toBe(true),
  );

  it.each([
    ['/one', '1.0'],
    ['/one', '1e0'],
    ['/one', '10e-1'],
    ['/half', '1.50'],
    ['/half', '15e-1'],
    ['/large', '1e21'],
    ['/less', '"a<b"'],
    ['/less', '"a\\u003Cb"'],
    ['/line', '"a\\u000a"'],
    ['/accent', '"\\u00e9"'],
    ['/list', '[1,[true,{"x":"\\u0079"}],{}]'],
    ['/nested', '{"a":{"b":[]},"value":3.0,"c":2}'],
  ])('of %s fails with %s, another text of the same value', (path, value) =>
    expect(succeeds(testing(path, value))).toBe(false),
  );

  it.each([
    '[ {"op":"remove","path":"/list/0"} , {"op":"test","path":"/nested/c","from":"value","\\u0076alue":2.0} ]',
    '[{"path":"/nested/a","value":{"b":[]},"op":"test"},{"value":2.0,"op":"test","path":"/nested/c"}]',
    '[{"value":[{},[]],"op":"add","path":"/list/-"},{"value":2.0,"op":"test","path":"/nested/c"}]',
  ])('finds its value among members and operations of every form: %s', (patch) => {
    expect(succeeds(patch)).toBe(false);
    expect(succeeds(patch.replace('2.0', '2'))).toBe(true);
  });

  it.each([
    '[{"op":"add","path":"/x","value":1.0},{"op":"test","path":"/x","value":1.0}]',
    '[{"op":"add","path":"/x","value":{"y":"<"}},{"op":"test","path":"/x/y","value":"<"}]',
    '[{"op":"add","path":"/x","value":[["<"]]},{"op":"test","path":"/x/0","value":["<"]}]',
    '[{"op":"replace","path":"/nested/c","value":2.0},{"op":"test","path":"/nested/c","value":2.0}]',
    '[{"op":"copy","from":"/nested","path":"/x"},{"op":"test","path":"/x/c","value":2.0}]',
  ])('compares values where the patch has changed the object: %s', (patch) => {
    expect(succeeds(patch)).toBe(true);
  });

  it('compares texts beside what the patch has changed', () => {
    const change = '{"op":"add","path":"/nested/a/n","value":1}';
    expect(succeeds(`[${change},{"op":"test","path":"/list/0","value":1.0}]`)).toBe(false);
    expect(succeeds(`[${change},{"op":"test","path":"/list/0","value":1}]`)).toBe(true);
  });
});
