import { describe, expect, it } from 'vitest';
import { schemaOf } from './support/schema-of.ts';
import { StructureAtOnce } from './support/structure-at-once.ts';

const fields = (schema: unknown, value: unknown, old: unknown): string[] =>
  new StructureAtOnce(schemaOf(schema)).validate(value, { old }).map(({ field }) => field);
const string = { type: 'string' };

describe('ratcheting', () => {
  const bounded = { type: 'object', maxProperties: 0 };

  it('tolerates an unchanged value', () => {
    const schema = { type: 'object', properties: { a: { ...bounded, properties: { b: string } } } };
    expect(fields(schema, { a: { b: 'x' } }, { a: { b: 'x' } })).toEqual([]);
    expect(fields(schema, { a: { b: 'x' } }, { a: { b: 'y' } })).toEqual(['a']);
  });

  it('counts a value with members without a schema as changed', () => {
    const schema = {
      type: 'object',
      properties: { a: { ...bounded, 'x-kubernetes-preserve-unknown-fields': true } },
    };
    expect(fields(schema, { a: { b: 'x' } }, { a: { b: 'x' } })).toEqual(['a']);
  });

  it('does not tolerate errors inside alternatives, unless the whole value is unchanged', () => {
    const schema = {
      type: 'object',
      properties: {
        a: {
          type: 'object',
          properties: { b: string, c: string },
          allOf: [{ properties: { b: { maxLength: 1 } } }],
        },
      },
    };
    expect(fields(schema, { a: { b: 'xx', c: 'new' } }, { a: { b: 'xx' } })).toEqual(['a.b', '<nil>']);
    expect(fields(schema, { a: { b: 'xx' } }, { a: { b: 'xx' } })).toEqual([]);
  });

  it('never tolerates a wrong apiVersion or kind of the object', () => {
    const schema = {
      type: 'object',
      properties: { kind: { type: 'string', maxLength: 1 }, a: { type: 'string', maxLength: 1 } },
    };
    const object = { kind: 'Kind', a: 'aa' };
    expect(
      new StructureAtOnce(schemaOf({ ...schema, maxProperties: 9 })).unchangedAt(object, object)([]),
    ).toBe(true);
    expect(fields(schema, { ...object, b: 1 }, { ...object, b: 2 })).toEqual(['kind']);
  });

  it('finds old elements of map lists by all their keys', () => {
    const items = {
      type: 'object',
      properties: { p: { type: 'integer' }, q: string, v: { type: 'string', maxLength: 1 } },
    };
    const schema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['p', 'q'],
      items,
    };
    const old = [
      { p: 1, q: 'a', v: 'long' },
      { p: 1, q: 'b', v: 'x' },
    ];
    expect(fields(schema, [{ p: 2, q: 'a', v: 'x' }, old[0]], old)).toEqual([]);
    expect(fields(schema, [{ p: 1, q: 'c', v: 'long' }], old)).toEqual(['[0].v']);
  });
});

describe('unchangedAt', () => {
  const integer = { type: 'integer' };
  const ports = { type: 'array', items: { type: 'object', properties: { port: integer } } };
  const keyed = {
    ...ports,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port'],
    items: { type: 'object', properties: { port: integer, v: { type: 'array', items: string } } },
  };
  const schema = {
    type: 'object',
    properties: {
      kind: string,
      ports,
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: integer },
      lists: { type: 'array', items: { type: 'array', items: integer } },
      keyed,
      map: { type: 'object', additionalProperties: { type: 'array', items: integer } },
      kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: string } },
    },
  };
  const at = (path: readonly (string | number)[], value: unknown, old: unknown) =>
    new StructureAtOnce(schemaOf(schema)).unchangedAt(value, old)(path);

  it.each([
    [
      'an item of an atomic list',
      ['ports', 0, 'port'],
      { ports: [{ port: 0 }] },
      { ports: [{ port: 0 }] },
      true,
    ],
    ['an item of a longer list', ['ports', 0], { ports: [{ port: 0 }, {}] }, { ports: [{ port: 0 }] }, false],
    ['an item of a set', ['set', 1], { set: [1, 2] }, { set: [1, 2] }, true],
    ['an item of a set in another order', ['set', 1], { set: [1, 2] }, { set: [2, 1] }, false],
    ['a list in a list', ['lists', 1, 0], { lists: [[1], [2]] }, { lists: [[1], [2]] }, true],
    ['a list beside a changed one', ['lists', 1, 0], { lists: [[1], [2]] }, { lists: [[0], [2]] }, false],
    [
      'an item of a map list',
      ['keyed', 0],
      { keyed: [{ port: 1 }, { port: 2 }] },
      { keyed: [{ port: 1 }] },
      true,
    ],
    [
      'a list in a moved item of a map list',
      ['keyed', 1, 'v', 0],
      { keyed: [{ port: 1 }, { port: 2, v: ['a'] }] },
      { keyed: [{ port: 2, v: ['a'] }] },
      true,
    ],
    [
      'a new item of a map list',
      ['keyed', 1],
      { keyed: [{ port: 1 }, { port: 2 }] },
      { keyed: [{ port: 1 }] },
      false,
    ],
    ['a list in a map', ['map', 'x', 0], { map: { x: [1], y: [] } }, { map: { x: [1] } }, true],
    ['a new member of a map', ['map', 'y', 0], { map: { x: [1], y: [2] } }, { map: { x: [1] } }, false],
    [
      'a member beside unknown fields',
      ['kept', 'a'],
      { kept: { a: 'x', b: 1 } },
      { kept: { a: 'x', b: 2 } },
      true,
    ],
    [
      'an object with unknown fields',
      ['kept'],
      { kept: { a: 'x', b: 1 } },
      { kept: { a: 'x', b: 1 } },
      false,
    ],
    ['the kind', ['kind'], { kind: 'A' }, { kind: 'A' }, false],
    ['a member named as a prototype', ['map', '__proto__', 0], { map: {} }, { map: {} }, true],
    ['anything without an old object', ['set', 0], { set: [1] }, undefined, false],
  ] as const)('%s', (_name, path, value, old, expected) => {
    expect(at(path, value, old)).toBe(expected);
  });
});
