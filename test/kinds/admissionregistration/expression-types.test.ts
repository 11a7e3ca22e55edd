import { describe, expect, it } from 'vitest';
import { COMPILING } from '../../../src/kinds/admissionregistration/expressions.ts';
import type { KubernetesObject } from '../../../src/model/object.ts';
import { admissionStrategies } from '../../support/builtin-resources.ts';
import { contextOf, defaulted, errorsOf, updated } from '../run-strategy.ts';

await COMPILING.load!();
const strategies = admissionStrategies(COMPILING);
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
const TWO_VARIABLES = 'object.metadata.labels.all(k, v, k != v)';

/** Returns the messages without the lines that point into the expression. */
const heads = (errors: readonly string[]): string[] => errors.map((error) => error.split('\n')[0]!);

describe('policy expressions', () => {
  const strategy = strategies['validatingadmissionpolicies']!;
  const errorsFor = (change: object): string[] => heads(errorsOf(strategy, { spec: { ...spec, ...change } }));

  it.each<[object, string[]]>([
    [
      {
        validations: [
          {
            expression:
              'object.a == 1 && request.userInfo.username != "" && namespaceObject.metadata.name != ""',
          },
        ],
      },
      [],
    ],
    [
      { validations: [{ expression: '1' }] },
      ['spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int'],
    ],
    [
      { validations: [{ expression: 'params.x == 1' }] },
      [
        "spec.validations[0].expression: Invalid value: \"params.x == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')",
      ],
    ],
    [
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'params.x == 1' }] },
      [],
    ],
    [
      {
        validations: [
          { expression: 'true', messageExpression: 'authorizer.path("/x").check("get").reason()' },
        ],
      },
      [
        'spec.validations[0].messageExpression: Invalid value: "authorizer.path(\\"/x\\").check(\\"get\\").reason()": compilation failed: ERROR: <input>:1:1: undeclared reference to \'authorizer\' (in container \'\')',
      ],
    ],
    [{ auditAnnotations: [{ key: 'a', valueExpression: 'null' }] }, []],
    [
      { auditAnnotations: [{ key: 'a', valueExpression: '  nope' }] },
      [
        "spec.auditAnnotations[0].valueExpression: Invalid value: \"  nope\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')",
      ],
    ],
    [
      { matchConditions: [{ name: 'a', expression: 'object' }] },
      ['spec.matchConditions[0].expression: Invalid value: "object": must evaluate to bool but got dyn'],
    ],
    [
      { validations: [{ expression: 'variables.a == 1' }] },
      [
        "spec.validations[0].expression: Invalid value: \"variables.a == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')",
      ],
    ],
  ])('reports the type errors of %j', (change, expected) => expect(errorsFor(change)).toEqual(expected));

  it('uses the types of variables, which can refer to previous variables', () => {
    const variables = [
      { name: 'a', expression: '[1]' },
      { name: 'b', expression: 'variables.a[0]' },
      { name: 'c', expression: 'request.userInfo' },
      { name: 'd', expression: 'nothing' },
    ];
    const validations = [
      'variables.b == 1',
      'variables.b == "x"',
      'variables.c.anything == 1',
      'variables.d == 1',
      'variables.e',
    ].map((expression) => ({
      expression,
    }));
    expect(errorsFor({ variables, validations })).toEqual([
      "spec.variables[3].expression: Invalid value: \"nothing\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nothing' (in container '')",
      'spec.validations[1].expression: Invalid value: "variables.b == \\"x\\"": compilation failed: ERROR: <input>:1:13: found no matching overload for \'_==_\' applied to \'(int, string)\'',
      'spec.validations[4].expression: Invalid value: "variables.e": compilation failed: ERROR: <input>:1:10: undefined field \'e\'',
    ]);
  });

  it('limits the nesting depth of variable types', () => {
    const variables = Array.from({ length: 2000 }, (_, index) => ({
      name: `v${index}`,
      expression: index === 0 ? '[1]' : `[variables.v${index - 1}]`,
    }));
    expect(errorsFor({ variables, validations: [{ expression: 'variables.v1999 == 1' }] })).toHaveLength(1);
  });

  it('lets unchanged stored expressions use functions that new ones cannot', () => {
    const old = defaulted(strategy, { spec: { ...spec, validations: [{ expression: TWO_VARIABLES }] } });
    expect(errorsOf(strategy, old)).toHaveLength(1);
    expect(updated(strategy, old, old).errors).toEqual([]);
    const moved = {
      spec: { ...spec, auditAnnotations: [{ key: 'a', valueExpression: `string(${TWO_VARIABLES})` }] },
    };
    expect(updated(strategy, moved, old).errors).toHaveLength(1);
  });

  it('reports program instantiation errors of constants', () => {
    expect(errorsFor({ validations: [{ expression: 'int("x") == 1' }] })).toEqual([
      "spec.validations[0].expression: Internal error: program instantiation failed: type conversion error from 'string' to 'int'",
    ]);
  });
});

describe('webhook match conditions', () => {
  const webhook = {
    name: 'a.b.test',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: 'https://x.test/y' },
    rules: [rule],
  };
  const configuration = (expression: string, more: object = {}): object => ({
    webhooks: [{ ...webhook, matchConditions: [{ name: 'm', expression }], ...more }],
  });

  it.each(['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'])(
    'checks the types in %s',
    (kind) => {
      const strategy = strategies[kind]!;
      expect(
        errorsOf(
          strategy,
          configuration(
            'request.name == object.metadata.name && authorizer.requestResource.check("x").allowed()',
          ),
        ),
      ).toEqual([]);
      expect(heads(errorsOf(strategy, configuration('params.a == 1')))).toEqual([
        "webhooks[0].matchConditions[0].expression: Invalid value: \"params.a == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')",
      ]);
      const old = defaulted(strategy, configuration('no longer known('));
      expect(updated(strategy, configuration('no longer known(', { timeoutSeconds: 5 }), old).errors).toEqual(
        [],
      );
      expect(updated(strategy, configuration('never known('), old).errors).toHaveLength(1);
    },
  );
});

describe('mutating policies', () => {
  const strategy = strategies['mutatingadmissionpolicies']!;
  const policy = (mutation: object, more: object = {}): object => ({
    spec: {
      matchConstraints: { resourceRules: [rule] },
      reinvocationPolicy: 'Never',
      mutations: [mutation],
      ...more,
    },
  });
  const configuration = (expression: string) => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  });
  const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
  const context = contextOf({ version: 'v1alpha1' });

  it.each([
    [configuration('Object{spec: Object.spec{replicas: 1}, ?a: optional.none()}'), []],
    [configuration('  Object{a: Object{}.b == 1 ? 1 : 2} '), []],
    [configuration('Object.spec{}'), ['must evaluate to Object but got Object.spec']],
    [configuration('Objects{}'), ["undeclared reference to 'Objects' (in container '')"]],
    [configuration(' Object{'), ['ERROR: <input>:1:8: Syntax error']],
    [patch("[JSONPatch{op: 'add', path: '/a', from: '/b', value: [1]}]"), []],
    [patch("true ? [JSONPatch{op: jsonpatch.escapeKey('a')}] : []"), []],
    [patch('[]'), ['must evaluate to list(JSONPatch) but got list(dyn)']],
    [patch('[JSONPatch{op: 1}]'), ["expected type of field 'op' is 'string' but provided type is 'int'"]],
    [patch('[JSONPatch{other: 1}]'), ["undefined field 'other'"]],
  ])('checks the types of %j', (mutation, expected) => {
    const errors = errorsOf(strategy, policy(mutation), context);
    expect(errors).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  it('has the types of patches in mutations only', () => {
    const errors = (more: object) => errorsOf(strategy, policy(configuration('Object{}'), more), context);
    expect(errors({ variables: [{ name: 'a', expression: 'Object{}' }] })).toHaveLength(1);
    expect(errors({ matchConditions: [{ name: 'a', expression: 'Object{} == Object{}' }] })).toHaveLength(1);
  });

  it('keeps functions of stored mutations, for each type of patch', () => {
    const stored = `Object{a: ${TWO_VARIABLES}}`;
    const old = policy(configuration(stored)) as KubernetesObject;
    expect(errorsOf(strategy, old, context)).toHaveLength(1);
    expect(updated(strategy, old, old, context).errors).toEqual([]);
    const moved = policy(patch(`[JSONPatch{value: ${stored}}]`));
    expect(updated(strategy, moved, old, context).errors).toHaveLength(1);
  });
});
