import { describe, expect, it } from 'vitest';
import { Double } from '../../../../src/cel/index.ts';
import { DecodeError } from '../../../../src/codec/decode-error.ts';
import { parseJson } from '../../../../src/codec/json-parse.ts';
import { literalsOf } from '../../../../src/codec/number-literals.ts';
import { copyWithLiterals } from '../../../../src/extensions/custom-resources/objects/copy.ts';
import { withFloats } from '../../../../src/extensions/custom-resources/objects/float-literals.ts';
import {
  CUSTOM_FORM,
  documentOf,
  encodeObject,
  objectOf,
  parseStored,
  plainOf,
  withoutFractions,
} from '../../../../src/extensions/custom-resources/objects/object-json.ts';

const TYPE = { apiVersion: 'example.com/v1', kind: 'Thing' };
const bytes = (text: string): Uint8Array => Buffer.from(text);
const parse = (text: string): Record<string, unknown> => parseJson(bytes(text)).value as never;

describe('copies of plain trees', () => {
  it('share nothing, and keep members of any name', () => {
    const tree = parse('{"__proto__":{"a":[1,{"b":null}]},"constructor":"x"}');
    const copy = copyWithLiterals(tree);
    expect(copy).toEqual(tree);
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor']);
    expect(Object.getOwnPropertyDescriptor(copy, '__proto__')!.value).not.toBe(
      Object.getOwnPropertyDescriptor(tree, '__proto__')!.value,
    );
  });

  it('keep how numbers were written, but no negative zero', () => {
    const copy = copyWithLiterals(parse('{"list":[1.0,2,-0],"n":1e3}'));
    expect(Object.is((copy['list'] as number[])[2], 0)).toBe(true);
    expect(literalsOf(copy)!.get(copy)!.get('n')).toBe('1e3');
    expect([
      ...literalsOf(copy)!
        .get(copy['list'] as object)!
        .keys(),
    ]).toContain('0');
  });
});

describe('objects for rules', () => {
  it('have doubles where a whole number was written with a fraction', () => {
    const object = parse('{"spec":{"a":6.0,"b":6,"list":[1e1,"x"]}}');
    const { spec } = withFloats(object) as { spec: Record<string, unknown> };
    expect(spec['a']).toBeInstanceOf(Double);
    expect(spec['b']).toBe(6);
    expect((spec['list'] as unknown[])[0]).toBeInstanceOf(Double);
    expect(object).toEqual({ spec: { a: 6, b: 6, list: [10, 'x'] } });
  });

  it('are the objects themselves if no number was', () => {
    const object = parse('{"spec":{"a":1.5}}');
    expect(withFloats(object)).toBe(object);
  });
});

describe('stored custom objects', () => {
  it('keep integers beyond 2^53', () => {
    expect(parseStored(bytes('{"n":9007199254740993,"m":1}'))).toEqual({ n: 9007199254740993n, m: 1 });
    expect(Object.is(parseStored(bytes('{"n":-0}'))['n'], 0)).toBe(true);
  });

  it.each(['[]', '1', 'null', '{"a":', ''])('are not %s', (text) =>
    expect(() => parseStored(bytes(text))).toThrow(DecodeError),
  );

  it('have sorted members and no resourceVersion', () => {
    const object = { metadata: { name: 'a', resourceVersion: '5' }, spec: { b: '<', a: 1 }, ...TYPE };
    expect(encodeObject(object, TYPE).toString()).toBe(
      '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"a":1,"b":"\\u003c"}}\n',
    );
    expect(plainOf(object, { ...TYPE, apiVersion: 'example.com/v2' })).toMatchObject({
      apiVersion: 'example.com/v2',
      metadata: { resourceVersion: '5' },
    });
  });

  it('are decoded in any version, without metadata of the wrong type', () => {
    const stored = bytes(
      '{"apiVersion":"example.com/v9","kind":"Thing","metadata":{"name":"a","labels":{"x":1}}}',
    );
    expect(CUSTOM_FORM.codec.decode(stored, 7)).toEqual({
      apiVersion: 'example.com/v9',
      kind: 'Thing',
      metadata: expect.objectContaining({ name: 'a', resourceVersion: '7' }),
    });
    expect(CUSTOM_FORM.metadata(stored).name).toBe('a');
    expect(CUSTOM_FORM.metadata(bytes('{"spec":{}}'))).toEqual({});
    expect(objectOf({ metadata: 'x' }).metadata).toEqual({});
  });

  it('become documents at a revision without being parsed', () => {
    const stored = bytes('{"apiVersion":"a/v1","kind":"A","metadata":{"name":"a","uid":"u"},"spec":{}}\n');
    const document = documentOf(stored, '12');
    expect(Buffer.from(document.bytes).toString()).toBe(
      '{"apiVersion":"a/v1","kind":"A","metadata":{"name":"a","resourceVersion":"12","uid":"u"},"spec":{}}\n',
    );
    expect(Buffer.from(document.bytes.subarray(document.start, document.end)).toString()).toBe(
      '"resourceVersion":"12",',
    );
    expect(Buffer.from(documentOf(stored, '0').bytes).equals(stored)).toBe(true);
  });

  it('keep whole floats where they are told from integers, and show them without fractions', () => {
    const given =
      '{"metadata":{"name":"a"},"spec":{"e":1e3,"list":[1.0,1,-2.5],"n":2.0,"text":"5.0,\\"6.0]"}}';
    const stored = encodeObject(parse(given) as never, TYPE, { keepsFloats: true });
    const spec = (text: Uint8Array): string => /"spec":(.*)\}\n/.exec(Buffer.from(text).toString())![1]!;
    expect(spec(stored)).toBe('{"e":1000.0,"list":[1.0,1,-2.5],"n":2.0,"text":"5.0,\\"6.0]"}');
    expect(spec(withoutFractions(stored))).toBe('{"e":1000,"list":[1,1,-2.5],"n":2,"text":"5.0,\\"6.0]"}');
    expect(encodeObject(objectOf(parseStored(stored)), TYPE, { keepsFloats: true }).equals(stored)).toBe(
      true,
    );
    expect(spec(encodeObject(objectOf(parseStored(stored)), TYPE))).toBe(spec(withoutFractions(stored)));
  });
});
