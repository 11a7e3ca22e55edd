import {
  AUTHORIZATION_MATCH_CONDITION,
  type Bindings,
  CLAIM_MAPPING,
  CLAIM_VALIDATION,
  CompileError,
  compile,
  DYN,
  declarationsOf,
  declaredTypeName,
  declareSchema,
  type Environment,
  type Generation,
  matchCondition,
  ProgramError,
  plan,
  policyAuditAnnotation,
  policyMessage,
  policyValidation,
  policyVariable,
  type RuleSchema,
  resultTypeError,
  type SizeHints,
  sizeHintsOf,
  type Type,
  typeSchemaOf,
  USER_VALIDATION,
  type Value,
  valueOfJson,
  valueOfSchema,
  valueSchemaOf,
} from '../../cel/index.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';

/** A place of the API, by its name on the command line. */
export interface NamedEnvironment {
  readonly environment: Environment;
  readonly generation: Generation;
  /** The variable for the object, and the one for the previous object. */
  readonly subject: string;
  readonly old?: string;
  /** A value of the subject's type. */
  readonly value?: (json: unknown) => Value;
  /** Sizes for the estimate. */
  readonly hints?: SizeHints;
}

const rule = (type: Type): NamedEnvironment => ({
  environment: {
    variables: new Map([
      ['self', type],
      ['oldSelf', type],
    ]),
    results: undefined,
    reportsActualType: true,
  },
  generation: 'new',
  subject: 'self',
  old: 'oldSelf',
});

/** The environment of rules at the root of a schema. */
export function ruleEnvironment(schema: RuleSchema): NamedEnvironment {
  const declaration = declareSchema(typeSchemaOf(schema), 'self', true);
  if (declaration === undefined) throw new ConfigurationError('the schema has no type');
  const values = valueSchemaOf(schema, true);
  return {
    ...rule(declaration.type),
    value: (json) => valueOfSchema(json, values),
    hints: sizeHintsOf(declaration),
  };
}

const policy = (environment: Environment): NamedEnvironment => ({
  environment,
  generation: 'new',
  subject: 'object',
  old: 'oldObject',
});
const other = (environment: Environment, subject: string): NamedEnvironment => ({
  environment,
  generation: 'stored',
  subject,
});
const WITH_PARAMS = { params: true };

export const ENVIRONMENTS: ReadonlyMap<string, NamedEnvironment> = new Map([
  ['rule', rule(DYN)],
  ['vap', policy(policyValidation(WITH_PARAMS))],
  ['vap-noparams', policy(policyValidation({ params: false }))],
  ['vap-message', policy(policyMessage(WITH_PARAMS))],
  ['vap-audit', policy(policyAuditAnnotation(WITH_PARAMS))],
  ['vap-variable', policy(policyVariable(WITH_PARAMS))],
  ['match-condition', policy(matchCondition(false))],
  ['authn-claims', other(CLAIM_MAPPING, 'claims')],
  ['authn-claim-validation', other(CLAIM_VALIDATION, 'claims')],
  ['authn-user', other(USER_VALIDATION, 'user')],
  ['authz', other(AUTHORIZATION_MATCH_CONDITION, 'request')],
]);

/**
 * The values of variables. In policies an absent object is null, as on create and delete.
 */
export function bindingsIn(
  { environment, subject, old, value = valueOfJson }: NamedEnvironment,
  given: { readonly self: unknown; readonly old: unknown; readonly variables: ReadonlyMap<string, unknown> },
): Bindings {
  const bound = new Map<string, Value>();
  if (subject === 'object')
    for (const name of ['object', 'oldObject', 'namespaceObject']) bound.set(name, null);
  if (given.self !== undefined) bound.set(subject, value(given.self));
  if (given.old !== undefined) {
    if (old === undefined)
      throw new ConfigurationError(`--old has no meaning here: there is no previous ${subject}`);
    bound.set(old, value(given.old));
  }
  for (const [name, json] of given.variables) {
    if (!environment.variables.has(name))
      throw new ConfigurationError(
        `unknown variable ${name}; use one of ${[...environment.variables.keys()].join(', ')}`,
      );
    bound.set(name, valueOfJson(json));
  }
  return bound;
}

/** The type of an expression's result in an environment, or why it can't be used there. */
export function checkIn(
  { environment, generation }: NamedEnvironment,
  text: string,
): { readonly outputType: string } | { readonly error: string } {
  try {
    const checked = compile(text, declarationsOf(generation, environment));
    const error = resultTypeError(environment, checked.type);
    if (error !== undefined) return { error };
    plan(checked);
    return { outputType: declaredTypeName(checked.type) };
  } catch (error) {
    if (error instanceof CompileError) return { error: `compilation failed: ${error.message}` };
    if (error instanceof ProgramError) return { error: `program instantiation failed: ${error.message}` };
    throw error;
  }
}
