import { beforeAll, expect, it } from 'vitest';
import { COMPILING } from '../../../../src/registry/builtin/apiextensions/schema-checker.ts';
import { definitionStrategies } from '../../../support/builtin-resources.ts';
import { errorsOf } from '../run-strategy.ts';

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
])('validates the default in %j', (property, expected) =>
  expect(errorsOfProperty(property)).toEqual(expected),
);
