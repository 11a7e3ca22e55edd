import {
  CompileError,
  compile,
  DYN,
  declarationsOf,
  declareSchema,
  type Environment,
  policyTypeCheck,
  type Type,
  type TypeSchema,
  variablesType,
  variableType,
} from '../../../cel/index.ts';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicySpec,
  Variable,
} from '../../../model/generated/admissionregistration-v1.ts';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../../model/object.ts';
import type { Steps } from '../../../steps/steps.ts';
import { type KindsOf, matchedKinds } from './matched-kinds.ts';

export interface KindSchemas {
  readonly kindsOf: KindsOf;
  /** The schema of a kind; undefined for one that is not known. */
  readonly schemaOf: (kind: GroupVersionKind) => TypeSchema | undefined;
}

/** The environment of a policy for one kind of objects. */
interface CheckedKind {
  readonly kind: GroupVersionKind;
  readonly environment: Environment;
}

/**
 * Checks the validations of a policy and their messages against the schemas of the kinds that its rules name.
 */
export function* checkTypes(
  { validations = [], variables = [], matchConstraints, paramKind }: ValidatingAdmissionPolicySpec,
  { kindsOf, schemaOf }: KindSchemas,
): Steps<ExpressionWarning[]> {
  const typeOf = (kind: GroupVersionKind): Type | undefined => {
    const schema = schemaOf(kind);
    // The name is only seen in errors.
    return schema && declareSchema(schema, `${kind.kind}Type`)?.type;
  };
  const { apiVersion = '', kind: paramsKind = '' } = paramKind ?? {};
  const version = parseApiVersion(apiVersion);
  const params = paramKind && version && typeOf({ ...version, kind: paramsKind });
  const checked: CheckedKind[] = [];
  for (const kind of matchedKinds(matchConstraints?.resourceRules ?? [], kindsOf)) {
    const object = typeOf(kind);
    if (object === undefined) continue;
    checked.push({ kind, environment: yield* withVariables({ object, params }, variables) });
  }
  const warnings: ExpressionWarning[] = [];
  for (const [index, { expression = '', messageExpression = '' }] of validations.entries()) {
    const fields = { expression, ...(messageExpression === '' ? {} : { messageExpression }) };
    for (const [field, text] of Object.entries(fields)) {
      const warning = yield* warningOf(text, checked);
      if (warning !== '') warnings.push({ fieldRef: `spec.validations[${index}].${field}`, warning });
    }
  }
  return warnings;
}

/** Compiles the variables in order. One that does not compile is dynamic. */
function* withVariables(
  types: { readonly object: Type; readonly params: Type | undefined },
  variables: readonly Variable[],
): Steps<Environment> {
  const fields = new Map<string, Type>();
  const environment = policyTypeCheck({ ...types, variables: variablesType(fields) });
  for (const { name = '', expression = '' } of variables) {
    const result = typeIn(environment, expression);
    fields.set(name, 'problem' in result ? DYN : variableType(result.type));
    yield;
  }
  return environment;
}

/** The problems of an expression in each environment, as one text; empty if there are none. */
function* warningOf(expression: string, kinds: readonly CheckedKind[]): Steps<string> {
  const problems: string[] = [];
  for (const { kind, environment } of kinds) {
    const result = typeIn(environment, expression);
    if ('problem' in result) problems.push(`${describe(kind)}: ${result.problem}\n`);
    yield;
  }
  return problems.join('\n');
}

function typeIn(
  environment: Environment,
  expression: string,
): { readonly type: Type } | { readonly problem: string } {
  try {
    return { type: compile(expression, declarationsOf('stored', environment)).type };
  } catch (error) {
    if (error instanceof CompileError) return { problem: error.message };
    throw error;
  }
}

const describe = ({ group, version, kind }: GroupVersionKind): string =>
  `${group === '' ? '/' : ''}${apiVersionOf(group, version)}, Kind=${kind}`;
