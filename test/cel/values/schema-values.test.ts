import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equal } from '../../../src/cel/values/equality.ts';
import { ArrayList, type ListValue } from '../../../src/cel/values/list.ts';
import type { MapValue } from '../../../src/cel/values/map.ts';
import type { Meter } from '../../../src/cel/values/meter.ts';
import {
  escapePropertyName,
  unescapePropertyName,
  type ValueSchema,
  valueOfSchema,
} from '../../../src/cel/values/schema/index.ts';
import { comparable } from '../support/wire-values.ts';

const unlimitedMeter: Meter = { work: () => undefined };
const STRING: ValueSchema = { type: 'string' };

/** A schema of an object with these properties. */
function object(properties: Record<string, ValueSchema>): ValueSchema {
  const known = new Map(Object.entries(properties));
  return { type: 'object', property: (name) => known.get(name) };
}

describe('property names', () => {
  test.each([
    ['a-b', 'a__dash__b'],
    ['x.y', 'x__dot__y'],
    ['p/q', 'p__slash__q'],
    ['u__v', 'u__underscores__v'],
    ['if', '__if__'],
    ['namespace', '__namespace__'],
    ['plain', 'plain'],
  ])('%s', (name, escaped) => {
    expect(escapePropertyName(name)).toBe(escaped);
    expect(unescapePropertyName(escaped)).toBe(name);
  });

  test.each(['1a', 'a b', '', 'é'])('rejects %j', (name) => {
    expect(escapePropertyName(name)).toBeUndefined();
  });

  test('escaped names round-trip', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z_./-][A-Za-z0-9_./-]{0,12}$/), (name) => {
        expect(unescapePropertyName(escapePropertyName(name)!)).toBe(name);
      }),
    );
  });
});

describe('objects', () => {
  const schema = object({
    n: { type: 'string', nullable: true },
    'a-b': { type: 'integer' },
    m: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
  });
  const value = valueOfSchema({ n: null, 'a-b': 3, m: { k: null }, unknown: 1 }, schema) as MapValue;

  test('treats a null property as absent and keeps a null map value', () => {
    expect(value.find('n')).toBeUndefined();
    expect((value.find('m') as MapValue).find('k')).toBeNull();
  });

  test('finds properties by escaped name and hides undeclared ones', () => {
    expect(value.find('a__dash__b')).toBe(3);
    expect(value.find('a-b')).toBe(3);
    expect(value.find('unknown')).toBeUndefined();
    expect(value.keys()).toEqual(['n', 'a__dash__b', 'm']);
  });

  test('does not expose inherited names as properties', () => {
    const map = valueOfSchema({}, { type: 'object', additionalProperties: STRING }) as MapValue;
    expect(map.find('constructor')).toBeUndefined();
    expect(map.find('__proto__')).toBeUndefined();
  });
});

describe('scalars', () => {
  test.each<[unknown, ValueSchema, unknown]>([
    [1, { type: 'number' }, 'double 1'],
    [1, { type: 'integer' }, 1],
    [2n ** 62n, { type: 'integer' }, `int ${2n ** 62n}`],
    ['5%', { type: '', intOrString: true }, '5%'],
    [5, { type: '', intOrString: true }, 5],
    ['1h', { type: 'string', format: 'duration' }, 'duration 3600s'],
    ['2 days', { type: 'string', format: 'duration' }, 'duration 172800s'],
    ['2024-02-29', { type: 'string', format: 'date' }, 'timestamp 2024-02-29T00:00:00Z'],
    [
      '2024-02-29T12:00:00+02:00',
      { type: 'string', format: 'date-time' },
      'timestamp 2024-02-29T12:00:00+02:00',
    ],
    ['2024-02-29T12:00:00', { type: 'string', format: 'date-time' }, 'timestamp 2024-02-29T12:00:00Z'],
    ['0000-02-29T12:00:00Z', { type: 'string', format: 'date-time' }, 'timestamp 0000-02-29T12:00:00Z'],
    [
      '2024-02-29t12:00:00Z',
      { type: 'string', format: 'date-time' },
      'error Invalid date-time formatted string 2024-02-29t12:00:00Z: parsing time "2024-02-29t12:00:00Z" as "2006-01-02T15:04:05": cannot parse "t12:00:00Z" as "T"',
    ],
    [
      '2024-02-29T12:00:00.5z',
      { type: 'string', format: 'date-time' },
      'error Invalid date-time formatted string 2024-02-29T12:00:00.5z: parsing time "2024-02-29T12:00:00.5z": extra text: "z"',
    ],
    ['aGk=', { type: 'string', format: 'byte' }, 'bytes 6869'],
    ['x', { type: 'string', format: 'uuid' }, 'x'],
    [null, { type: 'string', nullable: true }, null],
    [null, STRING, 'error invalid data, got null for schema with nullable=false'],
    [1, STRING, 'error invalid data, expected string, got int64'],
    ['x', { type: 'integer' }, 'error invalid data, expected int, got string'],
    [[], { type: 'object' }, 'error invalid data, expected a map for the provided schema with type=object'],
    [
      1.5,
      { type: '', intOrString: true },
      'error invalid data, expected XIntOrString value to be either a string or integer',
    ],
  ])('%s', (json, schema, expected) => {
    expect(comparable(valueOfSchema(json, schema))).toEqual(expected);
  });

  test.each([
    ['x', 'duration', /^error Invalid duration x: /],
    ['2024-02-30', 'date', /^error Invalid date formatted string 2024-02-30: /],
    ['x', 'date-time', /^error Invalid date-time formatted string x: /],
    ['@@', 'byte', /^error Invalid byte formatted string @@: /],
  ])('rejects %s as %s', (text, format, message) => {
    expect(comparable(valueOfSchema(text, { type: 'string', format }))).toMatch(message);
  });
});

describe('lists', () => {
  const set = (...elements: string[]): ListValue =>
    valueOfSchema(elements, { type: 'array', items: STRING, listType: 'set' }) as ListValue;
  const map = (...elements: unknown[]): ListValue =>
    valueOfSchema(elements, {
      type: 'array',
      items: object({ 'k-1': STRING, v: { type: 'integer' } }),
      listType: 'map',
      listMapKeys: ['k-1'],
    }) as ListValue;
  const plain = (list: ListValue): unknown => comparable(list);

  test('ignores the order when the left operand is a set', () => {
    expect(equal(set('a', 'b'), new ArrayList(['b', 'a']), unlimitedMeter)).toBe(true);
    expect(equal(new ArrayList(['b', 'a']), set('a', 'b'), unlimitedMeter)).toBe(false);
    expect(equal(set('a', 'b'), set('b', 'c'), unlimitedMeter)).toBe(false);
  });

  test('the sum of a set or a map list keeps its semantics', () => {
    const sum = set('a', 'b').concatenate(new ArrayList(['b', 'c']), unlimitedMeter);
    expect(equal(sum, new ArrayList(['c', 'a', 'b']), unlimitedMeter)).toBe(true);
    const entries = (...names: string[]): ListValue =>
      valueOfSchema(
        names.map((k) => ({ k })),
        { type: 'array', items: object({ k: STRING }), listType: 'map', listMapKeys: ['k'] },
      ) as ListValue;
    const merged = entries('x').concatenate(entries('y'), unlimitedMeter);
    expect(equal(merged, entries('y', 'x'), unlimitedMeter)).toBe(true);
    expect(merged.concatenate(entries('x', 'z'), unlimitedMeter).size).toBe(3);
  });

  test('adds only new elements to a set', () => {
    expect(plain(set('a', 'b').concatenate(new ArrayList(['c', 'a', 'c']), unlimitedMeter))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('identifies entries of a list map by their keys', () => {
    const left = map({ 'k-1': 'x', v: 1 }, { 'k-1': 'y', v: 2 });
    expect(equal(left, map({ 'k-1': 'y', v: 2 }, { 'k-1': 'x', v: 1 }), unlimitedMeter)).toBe(true);
    expect(equal(left, map({ 'k-1': 'y', v: 3 }, { 'k-1': 'x', v: 1 }), unlimitedMeter)).toBe(false);
    const both = left.concatenate(map({ 'k-1': 'x', v: 9 }, { 'k-1': 'z', v: 3 }), unlimitedMeter);
    expect(Array.from({ length: both.size }, (_, index) => (both.get(index) as MapValue).find('v'))).toEqual([
      9, 2, 3,
    ]);
  });

  test('returns an error when a list of unknown type is accessed', () => {
    expect(comparable(valueOfSchema([], { type: 'array', items: STRING, listType: 'bag' }))).toBe(
      "error invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got bag",
    );
  });
});
