import { describe, expect, it } from 'vitest';
import { Structure } from '../../../src/schema/structural/index.ts';
import { schemaOf } from './support/schema-of.ts';

const fields = (schema: unknown, value: unknown, old: unknown): string[] =>
  new Structure(schemaOf(schema)).validate(value, { old }).map(({ field }) => field);
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
    expect(new Structure(schemaOf({ ...schema, maxProperties: 9 })).isUnchanged(object, object)).toBe(true);
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
