import { describe, expect, test } from 'vitest';
import { compile } from '../../src/cel/compile.ts';
import { declarationsOf } from '../../src/cel/declarations/declarations.ts';
import {
  AUTHORIZATION_MATCH_CONDITION,
  CLAIM_MAPPING,
  CLAIM_VALIDATION,
  type Environment,
  matchCondition,
  policyAuditAnnotation,
  policyMessage,
  policyValidation,
  policyVariable,
  resultTypeError,
  USER_VALIDATION,
} from '../../src/cel/environments.ts';
import { CompileError } from '../../src/cel/errors.ts';
import { declaredTypeName, INT } from '../../src/cel/types.ts';
import { recorded } from '../support/recorded.ts';

/** The type of an expression in an environment, or the error. */
function outcome(environment: Environment, text: string): string {
  try {
    const { type } = compile(text, declarationsOf('stored', environment));
    return resultTypeError(environment, type) ?? declaredTypeName(type);
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return error.message.split('\n')[0]!;
  }
}

const undeclared = (name: string): string =>
  `ERROR: <input>:1:1: undeclared reference to '${name}' (in container '')`;

describe('accepts and rejects the recorded expressions', () => {
  test.each<[string, Environment, string, string]>([
    ['a claim', CLAIM_MAPPING, 'claims.sub', 'google.protobuf.Any'],
    ['a claim rule', CLAIM_VALIDATION, 'claims.sub', 'must evaluate to bool'],
    ['a user rule', USER_VALIDATION, 'user.extra["a"].size() > 0', 'bool'],
    [
      'an authorization condition',
      AUTHORIZATION_MATCH_CONDITION,
      'request.resourceAttributes.labelSelector.requirements.all(r, r.key != "")',
      'bool',
    ],
    ['an authorization condition', AUTHORIZATION_MATCH_CONDITION, '1', 'must evaluate to bool but got int'],
    [
      'a rule',
      policyValidation({ params: true }),
      'object.spec.replicas <= params.max && authorizer.requestResource.check("x").allowed()',
      'bool',
    ],
    ['a rule without parameters', policyValidation({ params: false }), 'params.x', undeclared('params')],
    ['a rule without variables', policyValidation({ params: false }), 'variables.x', undeclared('variables')],
    ['a message', policyMessage({ params: false }), 'authorizer.path("/")', undeclared('authorizer')],
    ['a message', policyMessage({ params: false }), '"no " + request.name', 'string'],
    [
      'an annotation',
      policyAuditAnnotation({ params: false }),
      '1',
      'must evaluate to one of [string null_type] but got int',
    ],
    ['an annotation', policyAuditAnnotation({ params: false }), 'null', 'null_type'],
    ['a variable', policyVariable({ params: false, variables: INT }), 'variables', 'int'],
    ['a condition', matchCondition(false), 'namespaceObject.metadata.UID != "" && request.dryRun', 'bool'],
  ])('%s: %4$s', (_, environment, text, expected) => expect(outcome(environment, text)).toBe(expected));
});

describe('environments against recorded results', () => {
  const environments: Readonly<Record<string, Environment>> = {
    'authn-claims': CLAIM_MAPPING,
    'authn-claim-validation': CLAIM_VALIDATION,
    'authn-user': USER_VALIDATION,
    authz: AUTHORIZATION_MATCH_CONDITION,
    vap: policyValidation({ params: true }),
    'vap-noparams': policyValidation({ params: false }),
  };

  test('environments', () => {
    for (const { env, expr, outputType, error, ok } of recorded<Record<string, string>[]>(
      'cel-environments',
    )) {
      const expected =
        error?.replace('compilation failed: ', '').split('\n')[0] ?? (ok ? 'bool' : outputType);
      expect(outcome(environments[env!]!, expr!), `${env}: ${expr}`).toBe(expected);
    }
  });
});
