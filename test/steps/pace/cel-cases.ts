import fc from 'fast-check';
import { compileConditions } from '../../../src/admission/expressions/conditions.ts';
import { compilePolicy } from '../../../src/admission/policy/compile.ts';
import { compileMutatingPolicy } from '../../../src/admission/policy/mutating/compile.ts';
import { compileRules } from '../../../src/cel/rules/compile-rules.ts';
import { evaluateRules } from '../../../src/cel/rules/evaluate-rules.ts';
import { compileRuleTree } from '../../../src/cel/rules/rule-tree.ts';
import { runNow } from '../../../src/steps/run.ts';
import type { Steps } from '../../../src/steps/steps.ts';
import { schemas } from './kinds-cases.ts';
import { paceCase, steadyCase } from './pace-case.ts';

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, 'a', 'cb', 1, 7),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const expression = fc.constantFrom(
  'object.metadata.name == "a"',
  'variables.v > 1',
  '1 +',
  'has(request.dryRun)',
  'params == null',
);
const listed = fc.array(fc.record({ name: fc.constantFrom('a', 'v'), expression }), { maxLength: 4 });
const policies = fc.record({
  matchConditions: listed,
  variables: listed,
  validations: fc.array(fc.record({ expression, messageExpression: fc.constantFrom('"a"', '1') }), {
    maxLength: 3,
  }),
  auditAnnotations: fc.array(fc.record({ key: fc.constant('k'), valueExpression: expression }), {
    maxLength: 2,
  }),
});
const mutatingPolicies = fc.record({
  matchConditions: listed,
  variables: listed,
  mutations: fc.array(
    fc.record({
      patchType: fc.constantFrom('JSONPatch', 'ApplyConfiguration'),
      jsonPatch: fc.record({ expression: fc.constantFrom('[]', 'object') }),
      applyConfiguration: fc.record({ expression: fc.constantFrom('Object{}', 'nothing') }),
    }),
    { maxLength: 3 },
  ),
});

/** What of a compiled policy can be compared: compiled expressions are functions. */
function* shown(compiling: Steps<unknown>): Steps<string> {
  return JSON.stringify(yield* compiling, (key, value: unknown) =>
    key === 'program' || key === 'elapsed' ? typeof value : value instanceof Map ? [...value] : value,
  );
}

export const CEL_CASES = [
  paceCase('cel/rules/compile-rules.ts compileRules', schemas, (schema) =>
    shown(compileRules(schema as never)),
  ),
  paceCase(
    ['cel/rules/rule-tree.ts compileRuleTree', 'cel/rules/evaluate-rules.ts evaluateRules'],
    fc.tuple(schemas, values, values),
    function* ([schema, value, old]) {
      const tree = yield* compileRuleTree(schema as never, false);
      if (tree === undefined) return undefined;
      const { errors, warnings, budget } = yield* evaluateRules(tree, value, old);
      return [errors, warnings, budget];
    },
  ),
  paceCase(
    'cel/rules/evaluate-rules.ts evaluateRules',
    fc.array(fc.nat(9), { minLength: 20 }),
    function* (list) {
      const schema = {
        type: 'array',
        items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 5' }] },
      };
      const tree = runNow(compileRuleTree(schema as never, false))!;
      const { errors, budget } = yield* evaluateRules(tree, list, undefined);
      return [errors, budget];
    },
  ),
  steadyCase('admission/expressions/conditions.ts compileConditions', listed, (conditions) =>
    shown(compileConditions(conditions, true)),
  ),
  steadyCase('admission/policy/compile.ts compilePolicy', policies, (spec) =>
    shown(compilePolicy(spec as never)),
  ),
  steadyCase('admission/policy/mutating/compile.ts compileMutatingPolicy', mutatingPolicies, (spec) =>
    shown(compileMutatingPolicy(spec as never)),
  ),
];
