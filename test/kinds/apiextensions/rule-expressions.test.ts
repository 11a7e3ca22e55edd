import { describe, expect, it } from 'vitest';
import { validateRuleExpressions } from '../../../src/kinds/apiextensions/rule-expressions.ts';
import { compilingChecker } from '../../../src/kinds/apiextensions/schema-checker.ts';
import { schemeOf } from '../../../src/model/scheme.ts';
import { definitionStrategies } from '../../support/builtin-resources.ts';
import { defaulted, errorsOf, updated } from '../run-strategy.ts';

const COMPILING = compilingChecker(schemeOf().has);

await COMPILING.load!();
const strategy = definitionStrategies(COMPILING)['customresourcedefinitions']!;
const ROOT = 'spec.validation.openAPIV3Schema';
const TWO_VARIABLES = 'self.all(i, v, i >= v)';

const definition = (...schemas: readonly object[]): object => ({
  metadata: { name: 'as.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Cluster',
    names: { plural: 'as', kind: 'A', singular: 'a', listKind: 'AList' },
    versions: schemas.map((schema, index) => ({
      name: `v${index + 1}`,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: schema },
    })),
  },
  status: { storedVersions: ['v1'] },
});
const withSpec = (schema: object): object => definition({ type: 'object', properties: { spec: schema } });
const errorsFor = (schema: object): string[] =>
  errorsOf(strategy, withSpec(schema)).map((error) => error.split('\n')[0]!);
const rule = (text: string, more: object = {}): object => ({
  'x-kubernetes-validations': [{ rule: text, ...more }],
});
const formatRule = (text: string, message = ''): string =>
  `apiextensions.ValidationRule{Rule:${JSON.stringify(text)}, Message:"", MessageExpression:${JSON.stringify(message)}, Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:"", OptionalOldSelf:(*bool)(nil)}`;

describe('validation rules', () => {
  it('compiles rules against the types of the schema', () => {
    const numbers = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(errorsFor({ ...numbers, ...rule('self.a > 0') })).toEqual([]);
    expect(errorsFor({ ...numbers, ...rule('self.b > 0') })).toEqual([
      `${ROOT}.properties[spec].x-kubernetes-validations[0].rule: Invalid value: ${formatRule('self.b > 0')}: compilation failed: ERROR: <input>:1:5: undefined field 'b'`,
    ]);
    expect(errorsFor({ ...numbers, ...rule('self.a > 0', { messageExpression: 'self.a' }) })).toEqual([
      `${ROOT}.properties[spec].x-kubernetes-validations[0].messageExpression: Invalid value: ${formatRule('self.a > 0', 'self.a')}: messageExpression must evaluate to a string`,
    ]);
  });

  it('limits the cost of each rule and of all rules', () => {
    const list = (maxItems?: number): object => ({
      type: 'array',
      maxItems,
      items: { type: 'string', maxLength: 10, ...rule('self.matches("[a-z]+")') },
    });
    expect(errorsFor(list(10))).toEqual([]);
    const texts = { type: 'array', items: { type: 'string' }, ...rule('self.all(x, self.all(y, x == y))') };
    expect(errorsFor(texts)).toEqual([
      `${ROOT}.properties[spec].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`,
      `${ROOT}.properties[spec].x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `${ROOT}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`,
    ]);
  });

  it('allows oldSelf only in correlatable schemas', () => {
    const items = {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 5, ...rule('self == oldSelf') } },
    };
    expect(errorsFor({ type: 'array', maxItems: 3, items })).toEqual([
      `${ROOT}.properties[spec].items.properties[a].x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${ROOT}.properties[spec]`,
    ]);
    expect(errorsFor({ type: 'string', ...rule('self != ""', { optionalOldSelf: true }) })).toEqual([
      `${ROOT}.properties[spec].x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ]);
  });

  it('skips rules of invalid schemas', () => {
    expect(errorsFor({ type: 'string', pattern: '(', ...rule('self.b') })).toEqual([
      expect.stringContaining(`${ROOT}.properties[spec].pattern`),
    ]);
  });

  it('keeps rules of stored definitions', () => {
    const schema = { type: 'array', maxItems: 5, items: { type: 'integer' }, ...rule(TWO_VARIABLES) };
    const old = defaulted(strategy, withSpec(schema));
    expect(errorsOf(strategy, old)).toHaveLength(1);
    expect(updated(strategy, old, old).errors).toEqual([]);
    const other = { ...schema, maxItems: 6 };
    expect(updated(strategy, withSpec(other), old).errors).toEqual([]);
    expect(
      updated(strategy, withSpec({ ...schema, ...rule(`${TWO_VARIABLES} && true`) }), old).errors,
    ).toHaveLength(1);
  });

  it('does not limit the cost per rule in unchanged versions', () => {
    const costly = {
      type: 'object',
      properties: { spec: { type: 'string', ...rule(`${'self == self + self && '.repeat(15)}true`) } },
    };
    const isCost = (error: string): boolean => error.includes('estimated rule cost exceeds');
    const old = defaulted(strategy, definition(costly, { type: 'object' }));
    expect(errorsOf(strategy, old).filter(isCost)).toHaveLength(1);
    expect(
      updated(strategy, definition(costly, { type: 'object', description: 'x' }), old).errors.filter(isCost),
    ).toEqual([]);
    expect(
      updated(strategy, definition({ ...costly, description: 'x' }, { type: 'object' }), old).errors.filter(
        isCost,
      ),
    ).toHaveLength(1);
  });

  it('pauses between the errors of rules', () => {
    const steps = validateRuleExpressions(
      { type: 'object', 'x-kubernetes-validations': Array.from({ length: 500 }, () => ({ rule: 'self.b' })) },
      'schema',
      { isUnchanged: false, storedRules: new Set(), storedMessages: new Set(), hasErrors: () => false },
    );
    let count = 0;
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        expect(step.value).toHaveLength(500);
        break;
      }
      count += 1;
    }
    // As often for the compilation as for the errors.
    expect(count).toBeGreaterThan(14);
  });
});
