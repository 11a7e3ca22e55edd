import { describe, expect, it } from 'vitest';
import {
  compileRuleTree,
  evaluateRules,
  RULES_BUDGET,
  type RuleSchema,
  type RulesOptions,
} from '../../../src/cel/index.ts';
import { runNow } from '../../../src/steps/run.ts';
import type { Steps } from '../../../src/steps/steps.ts';

const rule = (text: string, more: object = {}) => ({ 'x-kubernetes-validations': [{ rule: text, ...more }] });
const SIZES: RuleSchema = {
  type: 'object',
  properties: {
    least: { type: 'integer' },
    size: {
      type: 'integer',
      ...rule('self >= oldSelf', { message: 'only grows', reason: 'FieldValueForbidden' }),
    },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, port: { type: 'integer', ...rule('self == oldSelf') } },
      },
    },
    labels: {
      type: 'object',
      additionalProperties: {
        type: 'string',
        ...rule('self.size() < 3', { messageExpression: '"not " + self' }),
      },
    },
  },
  ...rule('self.size >= self.least', { fieldPath: '.size' }),
};

function run<Result>(steps: Steps<Result>): { result: Result; pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, pauses };
  }
}

const check = (schema: RuleSchema, object: unknown, old?: unknown, options?: RulesOptions) =>
  runNow(evaluateRules(runNow(compileRuleTree(schema, false))!, object, old, options));
const texts = (schema: RuleSchema, object: unknown, old?: unknown): string[] =>
  check(schema, object, old).errors.map(({ field, detail }) => `${field}: ${detail}`);

describe('evaluateRules', () => {
  it('reports the field of each violated rule', () => {
    const good = { least: 1, size: 2, ports: [{ name: 'a', port: 1 }], labels: { x: 'ab' } };
    expect(texts(SIZES, good)).toEqual([]);
    expect(texts(SIZES, { ...good, least: 3, labels: { x: 'abc' } })).toEqual([
      'size: failed rule: self.size >= self.least',
      'labels[x]: not abc',
    ]);
  });

  it('evaluates transition rules only with an old value', () => {
    const old = {
      least: 1,
      size: 5,
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    };
    const next = {
      least: 1,
      size: 4,
      ports: [
        { name: 'b', port: 3 },
        { name: 'c', port: 9 },
      ],
    };
    expect(check(SIZES, next, old).errors).toEqual([
      { type: 'FieldValueForbidden', field: 'size', badValue: '', detail: 'only grows' },
      {
        type: 'FieldValueInvalid',
        field: 'ports[0].port',
        badValue: 'integer',
        detail: 'failed rule: self == oldSelf',
      },
    ]);
  });

  it('turns failures of unchanged values into warnings with ratcheting', () => {
    const wrong = { least: 3, size: 2, labels: { x: 'abc' } };
    const asked: string[] = [];
    const isUnchanged = (path: readonly (string | number)[]) => {
      asked.push(path.join('.'));
      return path.length === 0;
    };
    const { errors, warnings } = check(SIZES, wrong, wrong, { isUnchanged });
    expect([errors.map(({ field }) => field), warnings.map(({ field }) => field)]).toEqual([
      ['labels[x]'],
      ['size'],
    ]);
    expect(asked).toEqual(['', 'labels.x']);
  });

  it('asks by index for elements, and not for rules that use old values', () => {
    const schema: RuleSchema = {
      type: 'object',
      properties: {
        lists: {
          type: 'array',
          items: { type: 'array', items: { type: 'integer', ...rule('self > 0') } },
        },
        size: { type: 'integer', ...rule('self > oldSelf') },
      },
    };
    const object = { lists: [[1], [2, 0]], size: 1 };
    const asked: unknown[] = [];
    const isUnchanged = (path: readonly (string | number)[]) => {
      asked.push([...path]);
      return true;
    };
    const { errors, warnings } = check(schema, object, object, { isUnchanged });
    expect([errors.map(({ field }) => field), warnings.map(({ field }) => field)]).toEqual([
      ['size'],
      ['lists[1][1]'],
    ]);
    expect(asked).toEqual([['lists', 1, 1]]);
  });

  it('does not correlate elements that lack a key', () => {
    const schema: RuleSchema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { port: { type: 'integer', ...rule('self == oldSelf') } } },
    };
    expect(check(schema, [{ port: 2 }], [{ port: 1 }]).errors).toEqual([]);
    expect(check(schema, [{ name: '1', port: 2 }], [{ name: 1, port: 1 }]).errors).toEqual([]);
    expect(check(schema, [{ name: 'a', port: 2 }], [{ name: 'a', port: 1 }]).errors).toHaveLength(1);
  });

  it('reports evaluation errors', () => {
    expect(
      texts(
        {
          type: 'object',
          properties: { m: { type: 'object', additionalProperties: { type: 'integer' } } },
          ...rule('self.m["x"] > 0'),
        },
        { m: {} },
      ),
    ).toEqual(['<nil>: no such key: x evaluating rule: self.m["x"] > 0']);
    expect(texts({ type: 'string', ...rule('self.nothing') }, 'a')[0]).toMatch(
      /^<nil>: rule compile error: compilation failed: /,
    );
  });
});

describe('cost budget', () => {
  const list: RuleSchema = { type: 'array', items: { type: 'integer', ...rule('self >= 0') } };
  const numbers = Array.from({ length: 1000 }, (_, index) => index);

  it('is shared by all rules', () => {
    expect(check(list, numbers)).toMatchObject({ errors: [], budget: RULES_BUDGET - 2000 });
    const { errors, budget } = check(list, numbers, undefined, { budget: 999 });
    expect(budget).toBe(-1);
    expect(errors.map(({ detail }) => detail)).toEqual([
      'validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });

  it('stops at a rule that exceeds its own limit', () => {
    const costly: RuleSchema = {
      type: 'array',
      items: { type: 'integer' },
      ...rule('self.all(x, self.all(y, x + y >= 0))'),
    };
    expect(texts(costly, numbers)).toEqual([
      "<nil>: 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.all(y, x + y >= 0))",
    ]);
  });

  it('pauses between costly evaluations', () => {
    const costly: RuleSchema = {
      type: 'array',
      items: { type: 'array', items: { type: 'integer' }, ...rule('self.all(x, self.all(y, x + y >= 0))') },
    };
    const tree = runNow(compileRuleTree(costly, false))!;
    const lists = Array.from({ length: 5 }, () => numbers.slice(0, 150));
    const { result, pauses } = run(evaluateRules(tree, lists, undefined));
    expect(result.errors).toEqual([]);
    expect(result.budget).toBeLessThan(RULES_BUDGET - 1000);
    expect(pauses).toBeGreaterThan(1);
  });

  it('pauses between very many cheap rules, and between their compilations', () => {
    const many: RuleSchema = {
      type: 'object',
      properties: { a: { type: 'integer', ...rule('self > 0') } },
      'x-kubernetes-validations': Array.from({ length: 3000 }, () => ({ rule: 'true' })),
    };
    const compiled = run(compileRuleTree(many, false));
    expect(compiled.pauses).toBeGreaterThan(20);
    const evaluated = run(evaluateRules(compiled.result!, { a: 0 }, undefined));
    expect(evaluated.result.errors).toHaveLength(1);
    expect(evaluated.pauses).toBeGreaterThan(1);
  });
});
