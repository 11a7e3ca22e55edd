import { describe, expect, test } from 'vitest';
import { DYN, type Type } from '../../../src/cel/types.ts';
import { valueOfJson } from '../../../src/cel/values/json.ts';
import { valueOfSchema } from '../../../src/cel/values/schema/index.ts';
import type { Value } from '../../../src/cel/values/value.ts';
import { evaluate } from '../support/evaluate.ts';
import { type JsonSchema, typeOfSchema, valueSchemaOf } from '../support/json-schema.ts';

const TEXT: JsonSchema = { type: 'string' };
const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    constructor: TEXT,
    toString: TEXT,
    name: TEXT,
    inner: { type: 'object', properties: { name: TEXT, when: { type: 'string', format: 'date-time' } } },
  },
};

/** The same JSON typed by a schema, as in custom resource rules, and untyped, as in policies. */
const forms: readonly (readonly [
  string,
  (json: unknown) => { readonly type: Type; readonly value: Value },
])[] = [
  [
    'by a schema',
    (json) => ({ type: typeOfSchema(SCHEMA), value: valueOfSchema(json, valueSchemaOf(SCHEMA)) }),
  ],
  ['plain', (json) => ({ type: DYN, value: valueOfJson(json) })],
];

describe.each(forms)('fields of an object, %s', (_form, self) => {
  test('does not expose inherited members as fields', () => {
    expect(evaluate('has(self.constructor) || has(self.toString)', { self: self({}) })).toEqual({
      value: false,
      cost: 2,
    });
    expect(evaluate('self.constructor', { self: self({}) })).toEqual({
      error: 'no such key: constructor',
      cost: 2,
    });
  });

  test('finds fields that have the name of an inherited member', () => {
    const json: unknown = JSON.parse('{"constructor": "c", "toString": "t", "__proto__": {"name": "other"}}');
    expect(evaluate('self.constructor + self.toString', { self: self(json) })).toEqual({
      value: 'ct',
      cost: 5,
    });
    expect(evaluate('has(self.name)', { self: self(json) })).toEqual({ value: false, cost: 1 });
  });

  test('looks up a field in each object, whatever the previous object had', () => {
    const list = [{ name: 'a' }, { inner: { name: 'b' } }, { name: 'c', inner: {} }];
    const value = evaluate(
      '[x, y, z].map(e, has(e.inner) && has(e.inner.name) ? e.inner.name : has(e.name) ? e.name : "")',
      {
        x: self(list[0]),
        y: self(list[1]),
        z: self(list[2]),
      },
    );
    expect(value.value).toEqual(['a', 'b', 'c']);
  });

  test('selects from objects of different kinds in turn', () => {
    const variables = { self: self({ name: 'a' }), other: { type: DYN, value: valueOfJson({ name: 'b' }) } };
    expect(evaluate('[dyn(self), other, dyn(self), other].map(e, e.name)', variables).value).toEqual([
      'a',
      'b',
      'a',
      'b',
    ]);
  });
});

test('a value that violates its schema is not equal to itself', () => {
  const value = valueOfSchema({ inner: { name: 1 } }, valueSchemaOf(SCHEMA));
  expect(evaluate('self.inner == self.inner', { self: { type: typeOfSchema(SCHEMA), value } }).value).toBe(
    false,
  );
});

describe('exists_one', () => {
  const d = { type: DYN, value: valueOfJson([1, 0, 2]) };

  test('visits every element and returns any error', () => {
    expect(evaluate('[1, 2, 2].exists_one(x, x == 1)').value).toBe(true);
    expect(evaluate('[1, 2, 2].exists_one(x, x == 2)').value).toBe(false);
    expect(evaluate('d.exists_one(x, 2 / x == 1)', { d })).toEqual({ error: 'division by zero', cost: 14 });
    expect(evaluate('d.exists_one(x, dyn("no"))', { d }).error).toBe('no such overload');
  });

  test('stops at the first step beyond the cost limit', () => {
    const whole = evaluate('d.exists_one(x, x == 2)', { d });
    expect(whole).toEqual({ value: true, cost: 11 });
    for (let limit = 0; limit < 11; limit++) {
      expect(evaluate('d.exists_one(x, x == 2)', { d }, { limit })).toEqual({
        error: 'operation cancelled: actual cost limit exceeded',
        cost: limit + 1,
      });
    }
  });
});
