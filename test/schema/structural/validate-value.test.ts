import { describe, expect, it } from 'vitest';
import { type ValueSchema, validateTypeMeta } from '../../../src/schema/structural/index.ts';
import type { FieldError } from '../../../src/status/field-error.ts';
import { StructureAtOnce } from './support/structure-at-once.ts';

const object = (properties: Record<string, ValueSchema>, more: ValueSchema = {}): ValueSchema => ({
  type: 'object',
  properties: new Map(Object.entries(properties)),
  ...more,
});
const validateValue = (value: unknown, schema: ValueSchema, field: string): FieldError[] => {
  const structure = new StructureAtOnce(schema);
  return [
    ...structure.validate(value, { field }),
    ...structure.embeddedResources(value, field).flatMap(validateTypeMeta),
    ...structure.validateLists(value, { field }),
  ];
};
const errors = (value: unknown, schema: ValueSchema): string[] =>
  validateValue(value, schema, 'x').map(({ type, field, body }) => `${type} ${field}: ${body}`);
const types = (value: unknown, schema: ValueSchema): string[] =>
  validateValue(value, schema, 'x').map(({ type, field }) => `${type} ${field}`);

describe('validateValue', () => {
  it.each<[unknown, ValueSchema]>([
    ['a', { type: 'string' }],
    [3, { type: 'integer', format: 'int32' }],
    [3, { type: 'number' }],
    [null, { type: 'string', nullable: true }],
    [5, { isIntOrString: true }],
    ['5', { isIntOrString: true }],
    [
      { a: { b: [1, 2] } },
      object({ a: object({ b: { type: 'array', items: { type: 'integer' }, listType: 'set' } }) }),
    ],
    [{ anything: 1 }, { type: 'object', additionalProperties: true }],
    ['😀😀', { type: 'string', maxLength: 2 }],
    [1.5, { type: 'number', multipleOf: 0.5 }],
    [{ a: 1 }, { enum: [{ a: 1.0 }] }],
  ])('accepts %j for %j', (value, schema) => expect(errors(value, schema)).toEqual([]));

  it.each<[unknown, ValueSchema, string]>([
    [
      'x',
      { type: 'integer', format: 'int32' },
      'FieldValueTypeInvalid x: Invalid value: "string":  in body must be of type integer: "string"',
    ],
    [
      null,
      { type: 'string' },
      'FieldValueTypeInvalid x: Invalid value: "null":  in body must be of type string: "null"',
    ],
    [
      10,
      { type: 'integer', maximum: 10, exclusiveMaximum: true },
      'FieldValueInvalid x: Invalid value: 10:  in body should be less than 10',
    ],
    [
      11,
      { type: 'integer', maximum: 10 },
      'FieldValueInvalid x: Invalid value: 11:  in body should be less than or equal to 10',
    ],
    [
      7,
      { type: 'integer', multipleOf: 2 },
      'FieldValueInvalid x: Invalid value: 7:  in body should be a multiple of 2',
    ],
    // As in the reference, which finds no multiples among doubles of 2^53 and more.
    [
      1.5e300,
      { type: 'number', multipleOf: 0.5 },
      'FieldValueInvalid x: Invalid value: 1.5e+300:  in body should be a multiple of 0.5',
    ],
    ['abc', { type: 'string', maxLength: 2 }, 'FieldValueTooLong x: Too long: may not be more than 2 bytes'],
    [
      '',
      { type: 'string', minLength: 1 },
      'FieldValueInvalid x: Invalid value: "":  in body should be at least 1 chars long',
    ],
    [
      'b',
      { type: 'string', pattern: '^a' },
      `FieldValueInvalid x: Invalid value: "b":  in body should match '^a'`,
    ],
    [
      'a',
      { type: 'string', format: 'ipv4' },
      'FieldValueTypeInvalid x: Invalid value: "a":  in body must be of type ipv4: "a"',
    ],
    [
      3,
      { type: 'integer', enum: [{}] },
      'FieldValueNotSupported x: Unsupported value: 3: supported values: "{}"',
    ],
    [[1, 2], { type: 'array', maxItems: 1 }, 'FieldValueTooMany x: Too many: 2: must have at most 1 items'],
    [[1, 1.0], { type: 'array', listType: 'set' }, 'FieldValueDuplicate x[1]: Duplicate value: 1'],
    [{}, { type: 'object', required: ['a'] }, 'FieldValueRequired x.a: Required value'],
    [
      {},
      { type: 'object', minProperties: 1 },
      'FieldValueInvalid x: Invalid value: 0:  in body should have at least 1 properties',
    ],
    [
      3,
      { type: 'integer', not: {} },
      'FieldValueInvalid x: Invalid value: "": "" must not validate the schema (not)',
    ],
  ])('rejects %j for %j', (value, schema, expected) => expect(errors(value, schema)).toEqual([expected]));

  it('compares integers beyond 2^53', () => {
    expect(errors(2n ** 60n, { type: 'integer', minimum: 0, multipleOf: 2 })).toEqual([]);
    expect(types(2n ** 60n, { type: 'integer', maximum: 5 })).toEqual(['FieldValueInvalid x']);
  });

  it.each<[unknown, ValueSchema, string[]]>([
    [2, { type: 'number', maximum: 2.5, exclusiveMaximum: true }, ['should be less than 2']],
    [2.4, { type: 'number', maximum: 2.5, exclusiveMaximum: true }, []],
    [0, { type: 'number', minimum: 0.5 }, []],
    [0.4, { type: 'number', minimum: 0.5 }, ['should be greater than or equal to 0.5']],
    [5, { type: 'integer', maximum: 2 ** 63 }, ['should be less than or equal to -9223372036854775808']],
    [5, { type: 'integer', minimum: 1e300 }, []],
    [2n ** 60n, { type: 'integer', maximum: 2 ** 60 }, []],
    [2n ** 60n, { type: 'integer', multipleOf: 2 ** 59 }, []],
    [2n ** 60n + 1n, { type: 'integer', multipleOf: 2 ** 59 }, ['a multiple of 576460752303423488']],
    [1, { type: 'number', multipleOf: 0.5 }, ['factor MultipleOf declared for  must be positive: 0']],
    [1.5, { type: 'number', multipleOf: 0.5 }, []],
    [1.5, { type: 'number', multipleOf: -0.5 }, ['must be positive: -0.5']],
  ])('compares %s with the bounds of %o as int64 or as float64', (value, schema, expected) => {
    const found = errors(value, schema);
    expect(found).toHaveLength(expected.length);
    for (const [index, text] of expected.entries()) expect(found[index]).toContain(text);
  });

  it('reports the path of the invalid value', () => {
    const schema = object({
      list: { type: 'array', items: object({ n: { type: 'integer' } }) },
      map: { type: 'object', additionalProperties: { type: 'string' } },
    });
    expect(errors({ list: [{ n: 1 }, { n: 'a' }], map: { k: 1 } }, schema)).toEqual([
      'FieldValueTypeInvalid x.list[1].n: Invalid value: "string": list[1].n in body must be of type integer: "string"',
      'FieldValueTypeInvalid x.map.k: Invalid value: "integer": map.k in body must be of type string: "integer"',
    ]);
  });

  it('reports junctors at the root', () => {
    const choice: ValueSchema = {
      type: 'integer',
      anyOf: [{ minimum: 5 }, { maximum: 1 }],
      oneOf: [{ minimum: 0 }, { minimum: 1 }],
      allOf: [{ maximum: 2 }],
    };
    expect(errors({ a: 3 }, object({ a: choice })).filter((text) => text.includes('must validate'))).toEqual([
      'FieldValueInvalid x: Invalid value: "": "a" must validate at least one schema (anyOf)',
      'FieldValueInvalid x: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      'FieldValueInvalid x: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
    ]);
  });

  it('rejects duplicate keys of map lists', () => {
    const list: ValueSchema = {
      type: 'array',
      listType: 'map',
      listMapKeys: ['n'],
      items: object({ n: { type: 'string' }, v: { type: 'integer' } }),
    };
    expect(types([{ n: 'a', v: 1 }, { n: 'b' }, { n: 'a', v: 2 }], list)).toEqual([
      'FieldValueDuplicate x[2]',
    ]);
  });

  it('requires the type of embedded resources', () => {
    const schema: ValueSchema = { type: 'object', isEmbeddedResource: true, preservesUnknownFields: true };
    expect(types({ apiVersion: 'v1' }, schema)).toEqual(['FieldValueRequired x.kind']);
  });

  it('treats members named like Object.prototype members as data', () => {
    const value = JSON.parse('{"__proto__": 1, "constructor": 2}') as unknown;
    expect(types(value, object({ a: {} }, { additionalProperties: undefined }))).toEqual([]);
    new StructureAtOnce({ type: 'object', preservesUnknownFields: true }).prune(value);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
  });

  it('matches patterns in linear time', () => {
    expect(types(`${'a'.repeat(30_000)}!`, { type: 'string', pattern: '^(a+)+$' })).toEqual([
      'FieldValueInvalid x',
    ]);
  });
});

it('validates formats', () => {
  const fits = (format: string, text: string): boolean =>
    errors(text, { type: 'string', format }).length === 0;
  expect(
    [
      ['date-time', '2024-02-29T01:02:03Z'],
      ['date', '2024-02-29'],
      ['duration', '1h30m'],
      ['duration', '3 days'],
      ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
      ['byte', 'YQ=='],
      ['cidr', '10.0.0.0/8'],
      ['email', 'a@example.test'],
      ['hostname', 'example.test'],
      ['uri', 'https://example.test'],
      ['mac', '01:02:03:04:05:06'],
      ['isbn13', '978-3-16-148410-0'],
      ['unknown', 'x'],
    ].filter(([format, text]) => !fits(format!, text!)),
  ).toEqual([]);
  expect(
    [
      ['date-time', '2023-02-29T01:02:03Z'],
      ['date', '2024-13-01'],
      ['duration', 'soon'],
      ['uuid', '123'],
      ['byte', '!'],
      ['cidr', '10.0.0.0'],
      ['email', 'a'],
      ['hostname', '-a'],
      ['uri', 'a b'],
      ['mac', '01'],
      ['isbn13', '978-3-16-148410-1'],
    ].filter(([format, text]) => fits(format!, text!)),
  ).toEqual([]);
});

it('handles an integer beyond int64 like a double: multiples', () => {
  expect(errors(2n ** 70n, { type: 'number', multipleOf: 0.5 })).toEqual([
    'FieldValueInvalid x: Invalid value: 1.1805916207174113e+21:  in body should be a multiple of 0.5',
  ]);
});
