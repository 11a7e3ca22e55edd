import { beforeAll, expect, it } from 'vitest';
import { validateDefaults } from '../../../src/kinds/apiextensions/defaults-validation.ts';
import { compilingChecker } from '../../../src/kinds/apiextensions/schema-checker.ts';
import { RawJson } from '../../../src/model/object.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { replay } from '../../../src/steps/replay.ts';
import { definitionStrategies } from '../../support/builtin-resources.ts';
import { errorsOf } from '../run-strategy.ts';

const COMPILING = compilingChecker(schemeOf().has);

const strategy = definitionStrategies(COMPILING).customresourcedefinitions!;
const ROOT = 'spec.validation.openAPIV3Schema';

beforeAll(async () => COMPILING.load?.());

function errorsOfProperty(property: object): string[] {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: property } } },
    },
  };
  return errorsOf(strategy, {
    metadata: { name: 'goods.example.test' },
    spec: {
      group: 'example.test',
      scope: 'Namespaced',
      names: { plural: 'goods', kind: 'Good' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
}

const at = `${ROOT}.properties[spec].properties[a]`;

it.each<[object, string[]]>([
  [{ 'x-kubernetes-int-or-string': true, default: true }, []],
  [{ type: 'integer', default: 3 }, []],
  [
    { type: 'integer', default: 'x' },
    [`${at}.default: Invalid value: "string":  in body must be of type integer: "string"`],
  ],
  [
    { type: 'integer', maximum: 2, default: 3 },
    [`${at}.default: Invalid value: 3:  in body should be less than or equal to 2`],
  ],
  [
    { type: 'object', properties: { b: { type: 'string' } }, default: { b: 'x', c: 1 } },
    [`${at}.default: Invalid value: map[string]interface {}{"b":"x", "c":1}: must not have unknown fields`],
  ],
  [
    { type: 'object', properties: { b: { type: 'string' } }, default: { b: 1 } },
    [`${at}.default.b: Invalid value: "integer": b in body must be of type string: "integer"`],
  ],
  [
    { type: 'integer', default: 3, 'x-kubernetes-validations': [{ rule: 'self < 3', message: 'too large' }] },
    [`${at}.default: Invalid value: "integer": too large`],
  ],
  [
    { type: 'array', items: { type: 'object', properties: { b: { type: 'integer', default: 'x' } } } },
    [
      `${at}.items.properties[b].default: Invalid value: "string":  in body must be of type integer: "string"`,
    ],
  ],
  // Rules cannot access values of unknown types.
  [
    {
      'x-kubernetes-preserve-unknown-fields': true,
      default: { b: 1 },
      'x-kubernetes-validations': [{ rule: 'self == 1' }],
    },
    [
      `${at}.default: Invalid value: "": rule compiler initialization error: failed to convert to declType for CEL validation rules`,
    ],
  ],
  [
    {
      type: 'array',
      items: {
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-validations': [{ rule: 'self == 1' }],
      },
      default: [1, 2],
    },
    [0, 1].map(
      (index) =>
        `${at}.default[${index}]: Invalid value: "": rule compiler initialization error: failed to convert to declType for CEL validation rules`,
    ),
  ],
  // Defaults of map values are not validated.
  [{ type: 'object', additionalProperties: { type: 'string', default: 1 } }, []],
  [
    {
      ...{
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      properties: { kind: { type: 'string', default: 1 }, metadata: { type: 'object', default: [] } },
    },
    [
      `${at}.properties[kind].default: Invalid value: 1: must result in valid metadata: kind: Invalid value: 1: must be a string`,
      `${at}.properties[metadata].default: Invalid value: []interface {}{}: must result in valid metadata: metadata: Invalid value: []interface {}{}: json: cannot unmarshal array into Go value of type v1.ObjectMeta`,
    ],
  ],
  // A default must satisfy the rules as the value of a new object, too.
  [
    {
      type: 'integer',
      default: 3,
      'x-kubernetes-validations': [
        { rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: 'needs an old value' },
      ],
    },
    [`${at}.default: Invalid value: "integer": needs an old value`],
  ],
])('validates the default in %j', (property, expected) =>
  expect(errorsOfProperty(property)).toEqual(expected),
);

it('a large default is validated in steps', () => {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 'v'])));
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        default: new RawJson(text),
      },
    },
  };
  const steps = replay(() => validateDefaults(schema, 'schema', schemeOf().has), 32);
  let yields = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yields += 1;
  expect(step.value).toEqual([]);
  expect(yields).toBeGreaterThanOrEqual(5);
});
