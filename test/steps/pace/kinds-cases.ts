import fc from 'fast-check';
import { validateRuleExpressions } from '../../../src/kinds/apiextensions/rule-expressions.ts';
import { convertingSchema } from '../../../src/kinds/apiextensions/value-schema.ts';
import { countingIndexes, findingOverlap } from '../../../src/kinds/batch/index-list.ts';
import { findingOverlaps } from '../../../src/kinds/core/volumes/overlapping-files.ts';
import { findErrors, uncounted } from '../../../src/kinds/validation/find-errors.ts';
import type { JSONSchemaProps } from '../../../src/model/generated/apiextensions-v1.ts';
import type { Volume } from '../../../src/model/generated/core-v1.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { type FieldError, formatFieldError, invalid } from '../../../src/status/field-error.ts';
import { checkEach, onceInTurns } from '../../../src/steps/replay.ts';
import type { Steps } from '../../../src/steps/steps.ts';
import { paceCase } from './pace-case.ts';

const rule = fc.constantFrom(
  'self.a > 0',
  'self.size() < 3',
  'oldSelf == self',
  'self.all(x, x.b.startsWith("c"))',
  'nonsense(',
  '',
);
const validations = fc.array(
  fc.record({ rule, messageExpression: fc.constantFrom('"a" + "b"', 'self') }, { requiredKeys: ['rule'] }),
  { maxLength: 3 },
);
/** Structural schemas with rules. */
export const schemas = fc.letrec<{ schema: JSONSchemaProps }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      {
        type: fc.constantFrom('string', 'integer'),
        maxLength: fc.nat(5),
        enum: fc.constant(['a', 'b'] as never),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 3 }),
      'x-kubernetes-validations': validations,
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), 'x-kubernetes-validations': validations }),
  ),
})).schema;

const indexes = fc
  .array(
    fc.oneof(
      fc.nat(30).map(String),
      fc.tuple(fc.nat(9), fc.nat(30)).map((pair) => pair.join('-')),
      fc.constant('x'),
    ),
  )
  .map((parts) => parts.join(','));
const paths = fc.array(fc.constantFrom('a', 'a/b', 'a/b/c', 'b', 'ab'), { maxLength: 6 });
const items = paths.map((all) => all.map((path) => ({ key: 'k', path })));
const volumes = fc.array(
  fc.record<Volume>(
    {
      name: fc.constantFrom('v', 'w'),
      secret: fc.record({ secretName: fc.constant('s'), items }),
      projected: fc.record({
        sources: fc.array(
          fc.oneof(
            items.map((all) => ({ secret: { items: all } })),
            fc.constant({ configMap: {} }),
          ),
          {
            maxLength: 4,
          },
        ),
      }),
    },
    { requiredKeys: ['name'] },
  ),
  { maxLength: 4 },
);

function* counting(list: readonly number[]): Steps<number> {
  for (const _ of list) yield;
  invalid('inner', list.length, 'not counted');
  return list.length;
}

/** A validation with nested lists and a check that pauses by itself. */
function validate(lists: readonly (readonly number[])[]): FieldError[] {
  return checkEach(lists, { place: 'lists' }, (list, index) => [
    ...checkEach(list, { place: 'items' }, (item) =>
      item % 3 === 0 ? [invalid(`${index}`, item, 'bad')] : [],
    ),
    ...(onceInTurns(list, { place: 'long', cost: 1 }, () => uncounted(counting(list))) > 6
      ? [invalid(`${index}`, 'list', 'too long')]
      : []),
  ]);
}

function* texts(errors: Steps<readonly FieldError[]>): Steps<string[]> {
  return (yield* errors).map(formatFieldError);
}

export const KINDS_CASES = [
  paceCase('kinds/apiextensions/value-schema.ts convertingSchema', schemas, (schema) =>
    convertingSchema(structuredClone(schema), schemeOf().has),
  ),
  paceCase(
    'kinds/apiextensions/rule-expressions.ts validateRuleExpressions',
    fc.tuple(schemas, fc.boolean()),
    ([schema, isUnchanged]) =>
      texts(
        validateRuleExpressions(schema, 'schema', {
          hasErrors: () => false,
          storedRules: new Set(),
          storedMessages: new Set(),
          isUnchanged,
        }),
      ),
  ),
  paceCase('kinds/batch/index-list.ts countingIndexes', indexes, (text) => countingIndexes(text, 25)),
  paceCase('kinds/batch/index-list.ts findingOverlap', fc.tuple(indexes, indexes), ([one, other]) =>
    findingOverlap(one, other, 25),
  ),
  paceCase(
    'kinds/core/volumes/overlapping-files.ts findingOverlaps',
    fc.tuple(volumes, fc.boolean()),
    ([all, isOld]) => findingOverlaps(all, { has: () => isOld }),
  ),
  paceCase(
    'kinds/validation/find-errors.ts findErrors',
    fc.array(fc.array(fc.nat(9), { maxLength: 100 }), { maxLength: 5 }),
    (lists) => texts(findErrors(() => validate(lists))),
    (lists) => validate(lists).map(formatFieldError),
  ),
];
