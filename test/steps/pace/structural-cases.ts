import fc from 'fast-check';
import { setDefaultsOf } from '../../../src/schema/structural/defaults.ts';
import { embeddedResourcesOf } from '../../../src/schema/structural/embedded.ts';
import { Identities } from '../../../src/schema/structural/identities.ts';
import { copyJson, Structure, sharedStructure } from '../../../src/schema/structural/index.ts';
import { validateListTypes } from '../../../src/schema/structural/list-types.ts';
import { Node } from '../../../src/schema/structural/node.ts';
import { pruneNode } from '../../../src/schema/structural/prune.ts';
import { validateNode } from '../../../src/schema/structural/validate.ts';
import { schemaOf } from '../../schema/structural/support/schema-of.ts';
import { paceCase } from './pace-case.ts';

const texts = { type: 'string', maxLength: 3, pattern: '^[a-c]*$' };
const SCHEMA = schemaOf({
  type: 'object',
  required: ['a'],
  properties: {
    a: {
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { anyOf: [texts, { type: 'integer', maximum: 3 }, { type: 'object', required: ['x'] }] },
    },
    b: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['x'],
      items: {
        type: 'object',
        properties: { x: texts, y: { type: 'string', default: 'y' } },
        oneOf: [{ required: ['x'] }, { required: ['y'] }],
        not: { required: ['z'] },
      },
    },
    c: { type: 'object', additionalProperties: { type: 'integer', enum: [1, 2] } },
    d: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    e: {
      type: 'object',
      default: { f: [1] },
      properties: { f: { type: 'array', items: { type: 'number' } } },
    },
  },
  allOf: [{ properties: { c: { minProperties: 1 } } }, { required: ['b'] }],
});
const node = new Node(SCHEMA);
const structure = new Structure(SCHEMA);

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, 'a', 'abcd', 'x', 1, 2, 7, 1.5, 2n ** 60n, true),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'x', 'y', 'z', 'f', 'apiVersion', 'kind'), tie('value'), {
      maxKeys: 4,
    }),
  ),
})).value;
const objects = fc.record(
  {
    a: fc.array(values, { maxLength: 6 }),
    b: fc.array(fc.dictionary(fc.constantFrom('x', 'y', 'z'), values, { maxKeys: 3 }), { maxLength: 6 }),
    c: fc.dictionary(fc.string({ maxLength: 2 }), values, { maxKeys: 5 }),
    d: values,
    e: values,
    other: values,
  },
  { requiredKeys: [] },
);
const pairs = fc.tuple(objects, fc.option(objects, { nil: undefined }));

export const STRUCTURAL_CASES = [
  paceCase('schema/structural/validate.ts validateNode', pairs, ([value, old]) =>
    validateNode(node, value, { old }),
  ),
  paceCase('schema/structural/structure.ts Structure.validate', pairs, ([value, old]) =>
    structure.validate(value, { old }),
  ),
  paceCase(
    [
      'schema/structural/prune.ts pruneNode',
      'schema/structural/walk.ts walkAll',
      'schema/structural/structure.ts Structure.prune',
    ],
    fc.tuple(objects, fc.boolean()),
    function* ([value, isWhole]) {
      const copy = copyJson(value);
      const options = { isObject: true, dropsNulls: true };
      const paths = yield* isWhole ? structure.prune(copy, options) : pruneNode(node, copy, options);
      return [paths, copy];
    },
  ),
  paceCase(
    ['schema/structural/defaults.ts setDefaultsOf', 'schema/structural/structure.ts Structure.setDefaults'],
    fc.tuple(objects, fc.boolean()),
    function* ([value, isWhole]) {
      const copy = copyJson(value);
      yield* isWhole ? structure.setDefaults(copy) : setDefaultsOf(node, copy, {});
      return copy;
    },
  ),
  paceCase(
    [
      'schema/structural/list-types.ts validateListTypes',
      'schema/structural/identities.ts Identities.finding',
      'schema/structural/structure.ts Structure.validateLists',
    ],
    pairs,
    function* ([value, old]) {
      const identity = yield* new Identities().finding(value);
      return [
        identity,
        yield* validateListTypes(node, value, 'x', old),
        yield* structure.validateLists(value, { field: 'x' }),
      ];
    },
  ),
  paceCase(
    [
      'schema/structural/embedded.ts embeddedResourcesOf',
      'schema/structural/structure.ts Structure.embeddedResources',
    ],
    objects,
    function* (value) {
      return [yield* embeddedResourcesOf(node, value, 'x'), yield* structure.embeddedResources(value, 'x')];
    },
  ),
  paceCase('schema/structural/structure.ts sharedStructure', objects, function* (value, run) {
    const shared = yield* sharedStructure(`${run}`, function* () {
      yield;
      return SCHEMA;
    });
    return yield* shared.validate(value);
  }),
];
