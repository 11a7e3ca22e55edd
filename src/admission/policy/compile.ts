import type { ComposedVariable } from '../../cel/index.ts';
import type {
  ValidatingAdmissionPolicySpec,
  Variable,
} from '../../model/generated/admissionregistration-v1.ts';
import type { Steps } from '../../steps/steps.ts';
import { type CompiledExpression, compileExpression, VariableScope } from '../expressions/compiled.ts';
import { type CompiledConditions, compileConditions } from '../expressions/conditions.ts';

/** A validation of a policy besides its expressions. */
export interface ValidationTexts {
  readonly expression: string;
  readonly message: string;
  /** The reason of the denial's status; undefined for Invalid. */
  readonly reason: string | undefined;
}

/** A policy whose expressions are compiled. Those that do not compile have their error. */
export interface CompiledPolicy {
  /** `failurePolicy: Ignore`: errors do not deny. */
  readonly ignoresErrors: boolean;
  readonly conditions: CompiledConditions | undefined;
  readonly variables: ReadonlyMap<string, ComposedVariable>;
  readonly validations: readonly CompiledExpression[];
  /** One per validation; undefined for a validation without message expression. */
  readonly messages: readonly (CompiledExpression | undefined)[];
  readonly texts: readonly ValidationTexts[];
  readonly annotationKeys: readonly string[];
  readonly annotations: readonly CompiledExpression[];
}

/** Compiles a policy. Never throws. */
export function* compilePolicy(spec: ValidatingAdmissionPolicySpec = {}): Steps<CompiledPolicy> {
  const { matchConditions, validations = [], auditAnnotations = [], failurePolicy, paramKind } = spec;
  const params = paramKind !== undefined;
  const conditions = yield* compileConditions(matchConditions, params);
  const { variables, scope } = yield* compileVariables(spec.variables, params);
  const compiled: CompiledExpression[] = [];
  const messages: (CompiledExpression | undefined)[] = [];
  for (const { expression = '', messageExpression = '' } of validations) {
    compiled.push(compileExpression(expression, 'validation', params, scope));
    yield;
    messages.push(
      messageExpression === '' ? undefined : compileExpression(messageExpression, 'message', params, scope),
    );
    yield;
  }
  const annotations: CompiledExpression[] = [];
  for (const { valueExpression = '' } of auditAnnotations) {
    annotations.push(compileExpression(valueExpression, 'annotation', params, scope));
    yield;
  }
  return {
    ignoresErrors: failurePolicy === 'Ignore',
    conditions,
    variables,
    validations: compiled,
    messages,
    texts: validations.map(({ expression = '', message = '', reason }) => ({ expression, message, reason })),
    annotationKeys: auditAnnotations.map(({ key = '' }) => key),
    annotations,
  };
}

/** Compiles variables in order; each can refer to the previous ones. */
export function* compileVariables(
  variables: readonly Variable[] = [],
  params: boolean,
): Steps<{ readonly variables: ReadonlyMap<string, ComposedVariable>; readonly scope: VariableScope }> {
  const scope = new VariableScope();
  const compiled = new Map<string, ComposedVariable>();
  for (const { name = '', expression = '' } of variables) {
    const { program, error, type } = compileExpression(expression, 'variable', params, scope);
    compiled.set(name, { name, program, error });
    scope.add(name, type);
    yield;
  }
  return { variables: compiled, scope };
}
