import { describe, expect, it } from 'vitest';
import type { ExpressionChecker } from '../../../src/kinds/admissionregistration/expressions.ts';
import { admissionStrategies, strategiesOf } from '../../support/builtin-resources.ts';
import { contextOf, created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('admissionregistration.k8s.io');
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const webhook = {
  name: 'a.b.test',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://x.test/y' },
  rules: [rule],
};

describe('webhook configurations', () => {
  const strategy = strategies['validatingwebhookconfigurations']!;
  const errorsFor = (change: object): string[] =>
    errorsOf(strategy, { webhooks: [{ ...webhook, ...change }] });

  it('defaults to failure policy Fail, match policy Equivalent and a timeout of ten seconds', () => {
    const defaults = {
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
    };
    const expected = { ...webhook, ...defaults, rules: [{ ...rule, scope: '*' }] };
    expect(defaulted(strategy, { webhooks: [webhook] }).webhooks).toEqual([expected]);
    expect(defaulted(strategies['mutatingwebhookconfigurations']!, { webhooks: [webhook] }).webhooks).toEqual(
      [{ ...expected, reinvocationPolicy: 'Never' }],
    );
  });

  it.each([
    [
      { name: 'short' },
      'name: Invalid value: "short": should be a domain with at least three segments separated by dots',
    ],
    [{ sideEffects: undefined }, 'sideEffects: Required value: must specify one of None, NoneOnDryRun'],
    [
      { timeoutSeconds: 31 },
      'timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
    ],
    [{ clientConfig: {} }, 'clientConfig: Required value: exactly one of url or service is required'],
    [
      { clientConfig: { url: 'https://u@x.test' } },
      'clientConfig.url: Invalid value: "u": user information is not permitted in the URL',
    ],
    [
      { clientConfig: { url: '//x.test' } },
      'clientConfig.url: Invalid value: "": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
    ],
    [
      { clientConfig: { service: { name: 's', namespace: 'n', path: '/a//b' } } },
      'clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty',
    ],
    [
      { admissionReviewVersions: ['v9'] },
      'admissionReviewVersions: Invalid value: []string{"v9"}: must include at least one of v1, v1beta1',
    ],
    [
      { rules: [{ ...rule, resources: ['*/*', 'a/*'] }] },
      'rules[0].resources[1]: Invalid value: "a/*": if \'*/*\' is present, must not specify a/*',
    ],
    [
      { rules: [{ ...rule, resources: ['*', 'pods'] }] },
      'rules[0].resources: Invalid value: []string{"*", "pods"}: if \'*\' is present, must not specify other resources without subresources',
    ],
  ])('rejects %j', (change, expected) => expect(errorsFor(change)).toContain(`webhooks[0].${expected}`));

  it('keeps invalid values that are already stored', () => {
    const lax = {
      webhooks: [webhook, { ...webhook, sideEffects: 'Unknown', admissionReviewVersions: ['v9'] }],
    };
    expect(errorsOf(strategy, lax)).toHaveLength(3);
    expect(updated(strategy, lax, defaulted(strategy, lax)).errors).toEqual([]);
  });
});

describe('policies', () => {
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
  const checked: [
    expression: string,
    hasParams: boolean,
    results: readonly string[] | string,
    visible: number | undefined,
  ][] = [];
  const checker: ExpressionChecker = {
    check(expression, { hasParams, results, visibleVariables }) {
      checked.push([expression, hasParams, results, visibleVariables]);
      return expression === 'nope' ? { text: 'compilation failed' } : undefined;
    },
  };
  const strategy = admissionStrategies(checker)['validatingadmissionpolicies']!;

  it('checks each expression for its result type', () => {
    const whole = {
      ...spec,
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [{ name: 'm', expression: 'a' }],
      variables: [
        { name: 'v', expression: 'b' },
        { name: 'w', expression: 'c' },
      ],
      validations: [{ expression: 'd', messageExpression: 'e' }],
      auditAnnotations: [{ key: 'k', valueExpression: 'f' }],
    };
    expect(errorsOf(strategy, { spec: whole })).toEqual([]);
    expect(checked).toEqual([
      ['a', true, ['bool'], undefined],
      ['b', true, [], 0],
      ['c', true, [], 1],
      ['d', true, ['bool'], undefined],
      ['e', true, ['string'], undefined],
      ['f', true, ['string', 'null_type'], undefined],
    ]);
    expect(errorsOf(strategy, { spec: { ...spec, validations: [{ expression: 'nope' }] } })).toEqual([
      'spec.validations[0].expression: Invalid value: "nope": compilation failed',
    ]);
  });

  it.each([
    [{ matchConstraints: undefined }, ['spec.matchConstraints: Required value']],
    [{ matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
    [
      { variables: [{ name: 'in', expression: '1' }] },
      ['spec.variables[0].name: Invalid value: "in": name is not a valid CEL identifier'],
    ],
    [
      { variables: [{ name: ' ', expression: '1' }] },
      ['spec.variables[0].name: Required value: name is not specified'],
    ],
    [
      { validations: [{ expression: 'true', message: 'a\nb' }] },
      ['spec.validations[0].message: Invalid value: "a\\nb": message must not contain line breaks'],
    ],
    [
      { paramKind: { apiVersion: 'a/b/c', kind: 'X' } },
      ['spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      {
        auditAnnotations: [
          { key: 'a', valueExpression: '1' },
          { key: 'a', valueExpression: '1' },
        ],
      },
      ['spec.auditAnnotations[1].key: Duplicate value: "a"'],
    ],
  ])('validates %j', (change, expected) =>
    expect(errorsOf(strategy, { spec: { ...spec, ...change } })).toEqual(expected),
  );
});

describe('policy bindings', () => {
  const strategy = strategies['validatingadmissionpolicybindings']!;
  const spec = { policyName: 'p', validationActions: ['Deny'] };

  it.each([
    [
      { validationActions: undefined },
      ['spec.validationActions: Required value: at least one validation action is required'],
    ],
    [
      { paramRef: { name: 'p', selector: {}, parameterNotFoundAction: 'Allow' } },
      [
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      ],
    ],
    [{ paramRef: { name: 'p' } }, ['spec.paramRef.parameterNotFoundAction: Required value']],
  ])('validates %j', (change, expected) =>
    expect(errorsOf(strategy, { spec: { ...spec, ...change } })).toEqual(expected),
  );

  it('requires parameterNotFoundAction in bindings of mutating policies', () => {
    const mutating = strategies['mutatingadmissionpolicybindings']!;
    const { object } = created(
      mutating,
      { spec: { policyName: 'p', paramRef: { name: 'p' } } },
      contextOf({ version: 'v1alpha1' }),
    );
    expect(object.spec).toMatchObject({ paramRef: { parameterNotFoundAction: 'Deny' } });
  });
});
