import { describe, expect, test } from 'vitest';
import { RequestValues } from '../../../src/admission/expressions/values.ts';
import { compilePolicy } from '../../../src/admission/policy/compile.ts';
import { evaluatePolicy, type PolicyResult } from '../../../src/admission/policy/evaluate.ts';
import {
  type AuthorizationDecision,
  cachingSource,
  type Value,
  valueOfJson,
} from '../../../src/cel/index.ts';
import type { ValidatingAdmissionPolicySpec } from '../../../src/model/generated/admissionregistration-v1.ts';
import { runWaiting } from '../../../src/steps/run.ts';
import { CostTurns } from '../../../src/steps/turns.ts';
import { loopTurns } from '../../support/loop-turns.ts';

interface Given {
  readonly object?: object;
  readonly request?: object;
  readonly params?: Value;
  readonly decide?: () => AuthorizationDecision | Promise<AuthorizationDecision>;
}

const ALLOWED: AuthorizationDecision = { allowed: true, reason: '', error: undefined };

function compiled(spec: ValidatingAdmissionPolicySpec) {
  const steps = compilePolicy(spec);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function evaluate(spec: ValidatingAdmissionPolicySpec, given: Given = {}) {
  const values = new RequestValues({
    object: () => given.object,
    oldObject: () => undefined,
    request: () => given.request ?? { operation: 'CREATE' },
    namespaceObject: () => ({ metadata: { name: 'n', labels: { team: 'red' } } }),
    authorization: cachingSource(given.decide ?? (() => ALLOWED)),
    requestResource: { group: '', resource: 'configmaps', subresource: '', namespace: 'n', name: 'x' },
  });
  const input = {
    values,
    conditionValues: values,
    params: given.params,
    turns: new CostTurns(loopTurns()),
    name: 'p',
    operation: 'CREATE' as const,
    metrics: undefined,
  };
  return runWaiting(evaluatePolicy(compiled(spec), input));
}

const decisions = (spec: ValidatingAdmissionPolicySpec, given?: Given) =>
  (evaluate(spec, given) as PolicyResult).decisions.map(({ denies, message, reason }) => ({
    denies,
    message,
    reason,
  }));

const messages = (spec: ValidatingAdmissionPolicySpec, given?: Given) =>
  decisions(spec, given).map(({ message }) => message);

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';
/** Costs about 900,000 units. */
const COSTLY = '[1,2,3,4,5,6,7,8,9,10]';
const costly = (result: string) =>
  `${COSTLY}.map(a, ${COSTLY}.map(b, ${COSTLY}.map(c, ${COSTLY}.map(d, ${COSTLY}.all(e, e > 0))))).size() == 10 ? ${result} : ${result}`;

describe('validations', () => {
  test('admit, deny with a message, a reason or the expression', () => {
    expect(
      decisions(
        {
          validations: [
            { expression: 'object.a == 1' },
            { expression: 'object.a == 2', message: ' two ', reason: 'Forbidden' },
            { expression: ' object.a == 3 ' },
          ],
        },
        { object: { a: 1 } },
      ),
    ).toEqual([
      { denies: false, message: '', reason: undefined },
      { denies: true, message: 'two', reason: 'Forbidden' },
      { denies: true, message: 'failed expression: object.a == 3', reason: undefined },
    ]);
  });

  test('errors deny unless the failure policy ignores them', () => {
    const validations = [
      { expression: 'object.absent == 1', message: 'never shown' },
      { expression: 'false' },
    ];
    const text = "expression 'object.absent == 1' resulted in error: no such key: absent";
    expect(decisions({ validations }, { object: {} })).toMatchObject([
      { denies: true, message: text },
      { denies: true },
    ]);
    expect(decisions({ validations, failurePolicy: 'Ignore' }, { object: {} })).toMatchObject([
      { denies: false, message: text },
      { denies: true },
    ]);
  });

  test('an expression that does not compile is an error at evaluation', () => {
    expect(messages({ validations: [{ expression: 'nothing' }, { expression: '1' }] })).toEqual([
      expect.stringMatching(
        /^compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nothing'/,
      ),
      'compilation error: must evaluate to bool but got int',
    ]);
  });

  test('one evaluation has a limit', async () => {
    const long = costly('true');
    const cost = (evaluate({ validations: [{ expression: long }] }) as PolicyResult).cost;
    expect(cost).toBeGreaterThan(400_000);
    const tooLong = `${COSTLY}.all(x, ${long})`;
    const { decisions: limited } = await evaluate({ validations: [{ expression: tooLong }] });
    expect(limited[0]!.message).toMatch(
      /resulted in error: operation cancelled: actual cost limit exceeded$/,
    );
  });

  test('a policy that exceeds the budget is one error, and yields to the event loop', async () => {
    const count = Math.ceil(10_000_000 / 400_000) + 1;
    const result = evaluate({
      validations: Array.from({ length: count }, (_, index) => ({ expression: costly(`${index} >= 0`) })),
    });
    expect(result).toBeInstanceOf(Promise);
    expect((await result).decisions).toMatchObject([{ denies: true, message: OUT_OF_BUDGET }]);
  });
});

describe('messages', () => {
  const denied = (messageExpression: string, message = 'literal') =>
    messages(
      { validations: [{ expression: 'false', message, messageExpression }] },
      { object: { long: 'y'.repeat(6000) } },
    )[0];

  test('a short line of text is used, anything else falls back', () => {
    expect(denied("'  computed '")).toBe('computed');
    for (const expression of ["''", "'  '", "'a\\nb'", 'string(object.long)', "string(object['absent'])"])
      expect(denied(expression)).toBe('literal');
    expect(denied("string(object['absent'])", '')).toBe('failed expression: false');
  });

  test('trims what Unicode calls white space', () => {
    expect(denied("'\\u0085\\u2003 a \\u3000'")).toBe('a');
    expect(denied("'\\ufeffa'")).toBe('\ufeffa');
  });

  test('see variables, parameters and the namespace, but no authorizer', () => {
    expect(
      messages(
        {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          variables: [
            { name: 'a', expression: "'a'" },
            { name: 'asks', expression: "authorizer.path('/').check('get').allowed() ? 'yes' : 'no'" },
          ],
          validations: [
            {
              expression: "variables.asks == 'no'",
              messageExpression: "variables.a + params.data.b + namespaceObject.metadata.labels['team']",
            },
            { expression: 'false', messageExpression: 'variables.asks', message: 'not available' },
          ],
        },
        { params: valueOfJson({ data: { b: 'b' } }) },
      ),
    ).toEqual(['abred', 'not available']);
  });
});

describe('variables', () => {
  test('are evaluated on use: an unused one cannot fail', () => {
    const variables = [
      { name: 'broken', expression: 'object.absent' },
      { name: 'wrong', expression: 'nonsense' },
      { name: 'sum', expression: '1 + 1' },
    ];
    expect(
      messages(
        {
          variables,
          validations: [
            { expression: 'variables.sum == 2' },
            { expression: 'variables.broken == 1' },
            { expression: 'variables.wrong == 1' },
          ],
        },
        { object: {} },
      ),
    ).toEqual([
      '',
      `expression 'variables.broken == 1' resulted in error: composited variable "broken" fails to evaluate: no such key: absent`,
      expect.stringMatching(
        /resulted in error: composited variable "wrong" fails to compile: compilation failed: ERROR/,
      ),
    ]);
  });

  test('cost once, whatever refers to them', () => {
    const once = (
      evaluate({
        variables: [{ name: 'v', expression: costly('true') }],
        validations: [{ expression: 'variables.v' }],
      }) as PolicyResult
    ).cost;
    const twice = (
      evaluate({
        variables: [{ name: 'v', expression: costly('true') }],
        validations: [{ expression: 'variables.v' }, { expression: 'variables.v' }],
      }) as PolicyResult
    ).cost;
    expect(twice - once).toBeLessThan(10);
  });

  test('refer to earlier ones; one that refers to its own name has an error, not a deep recursion', () => {
    const variables = [
      { name: 'a', expression: '1' },
      { name: 'a', expression: 'variables.a + 1' },
    ];
    expect(messages({ variables, validations: [{ expression: 'variables.a == 2' }] })[0]).toMatch(
      /resulted in error/,
    );
  });
});

describe('match conditions', () => {
  const policy = (...expressions: string[]): ValidatingAdmissionPolicySpec => ({
    matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    validations: [{ expression: 'false', message: 'evaluated' }],
  });

  test('one that is false excludes the request, whatever errors the others have', () => {
    expect(messages(policy('true', 'true'))).toEqual(['evaluated']);
    expect(messages(policy('object.absent == 1', 'false'), { object: {} })).toEqual([]);
  });

  test('errors deny as one evaluation, or exclude the request', () => {
    const failing = policy('object.a == 1', 'object.b == 1', 'true');
    const error = (name: string) =>
      `expression 'object.${name} == 1' resulted in error: no such key: ${name}`;
    expect(messages(failing, { object: {} })).toEqual([`[${error('a')}, ${error('b')}]`]);
    expect(messages({ ...failing, failurePolicy: 'Ignore' }, { object: {} })).toEqual([]);
  });

  test('have no namespace object', () => {
    expect(messages(policy('namespaceObject == null'))).toEqual(['evaluated']);
  });
});

describe('audit annotations', () => {
  const annotations = (valueExpression: string, failurePolicy = 'Fail') =>
    (
      evaluate(
        { auditAnnotations: [{ key: 'k', valueExpression }], failurePolicy },
        {
          object: { name: 'x' },
        },
      ) as PolicyResult
    ).annotations.map(({ elapsed: _, ...annotation }) => annotation);

  test('have text; null, blank text and ignored errors give none', () => {
    expect(annotations("' name ' + object.name + ' '")).toEqual([{ key: 'k', value: 'name x' }]);
    expect(annotations('null')).toEqual([]);
    expect(annotations("' '")).toEqual([]);
    expect(annotations('string(object.absent)', 'Ignore')).toEqual([]);
    expect(annotations('string(object.absent)')).toEqual([
      { key: 'k', error: "expression 'string(object.absent)' resulted in error: no such key: absent" },
    ]);
  });

  test('see no authorizer', () => {
    expect(annotations("string(authorizer.path('/').check('get').allowed())")).toMatchObject([
      { error: expect.stringContaining('no such attribute(s): authorizer') },
    ]);
  });
});

describe('the authorizer', () => {
  const asks = { validations: [{ expression: "authorizer.requestResource.check('create').allowed()" }] };

  test('may decide later, in variables too', async () => {
    let asked = 0;
    const decide = () => {
      asked += 1;
      return Promise.resolve(ALLOWED);
    };
    expect((await evaluate(asks, { decide })).decisions).toMatchObject([{ denies: false }]);
    const result = await evaluate(
      {
        variables: [{ name: 'may', expression: asks.validations[0]!.expression }],
        validations: [{ expression: 'variables.may' }, { expression: 'variables.may' }],
      },
      { decide },
    );
    expect(result.decisions).toMatchObject([{ denies: false }, { denies: false }]);
    expect(asked).toBe(2);
    expect(result.cost).toBeGreaterThan(350_000);
    expect(result.cost).toBeLessThan(400_000);
  });
});
