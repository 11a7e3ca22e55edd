/**
 * The expression language of the Kubernetes API (CEL): `compile` an expression against the declarations of an
 * environment, `plan` it once, then evaluate it any number of times within a cost limit. `estimateCost`
 * estimates the cost of an evaluation in advance. Schemas give types, values and rules.
 *
 *     const declarations = declarationsOf('new', { variables: new Map([['self', DYN]]) });
 *     const program = plan(compile('self.replicas <= 5', declarations));
 *     program.evaluate(new Map([['self', valueOfJson({ replicas: 3 })]]), { limit: 1_000_000 });
 *     // { kind: 'value', value: true, cost: 3 }
 *
 * `compile` throws `CompileError`, `plan` throws `ProgramError`, evaluation never throws.
 */
export type { CheckedExpression, Declarations, OverloadDeclaration, Reference } from './checked.ts';
export { compile } from './compile.ts';
export { type ComposedVariable, ComposedVariables, variablesType, variableType } from './composition.ts';
export { type EstimateOptions, estimateCost } from './cost/estimate.ts';
export type { SizeHints } from './cost/nodes.ts';
export type { Range } from './cost/size.ts';
export { declarationsOf, type EnvironmentParts, type Generation } from './declarations/declarations.ts';
export {
  declareSchema,
  type SchemaDeclaration,
  sizeHintsOf,
  type TypeSchema,
} from './declarations/schema-types.ts';
export {
  AUTHORIZATION_MATCH_CONDITION,
  CLAIM_MAPPING,
  CLAIM_VALIDATION,
  DEVICE_SELECTOR,
  type Environment,
  matchCondition,
  type PolicyOptions,
  policyApplyConfiguration,
  policyAuditAnnotation,
  policyJsonPatch,
  policyMessage,
  policyTypeCheck,
  policyValidation,
  policyVariable,
  resultTypeError,
  USER_VALIDATION,
} from './environments.ts';
export { CompileError, type Issue } from './errors.ts';
export {
  type EvaluationScope,
  type ExpressionResult,
  evaluateAll,
  type ListedExpression,
  OUT_OF_BUDGET,
} from './evaluate-all.ts';
export {
  type AuthorizationDecision,
  type AuthorizationQuery,
  type AuthorizationSource,
  cachingSource,
} from './libraries/authorization-source.ts';
export { authorizerValue, requestResourceValue } from './libraries/authorizer-values.ts';
export { type ConditionScope, evaluateConditions, type MatchResult } from './match-conditions.ts';
export { checkSyntax } from './parse.ts';
export type { Bindings, EvaluationLimits } from './planner/frame.ts';
export {
  type Evaluation,
  type EvaluationFailure,
  evaluateAsync,
  type Program,
  plan,
} from './planner/program.ts';
export { ProgramError } from './planner/step.ts';
export {
  type CompiledExpression,
  type CompiledRule,
  type CompiledRules,
  compilationPace,
  compileRules,
  type RuleCompilation,
} from './rules/compile-rules.ts';
export {
  evaluateRules,
  RULE_LIMIT,
  RULES_BUDGET,
  type RulesOptions,
  type RulesResult,
} from './rules/evaluate-rules.ts';
export type { RuleError } from './rules/rule-errors.ts';
export {
  elementOf,
  mapValueOf,
  type Rule,
  type RuleSchema,
  typeSchemaOf,
  valueSchemaOf,
} from './rules/rule-schema.ts';
export { compileRuleTree, type RuleTree } from './rules/rule-tree.ts';
export type { Expression } from './syntax.ts';
export {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  declaredTypeName,
  type FieldType,
  INT,
  list,
  map,
  NULL,
  type ObjectType,
  optional,
  STRING,
  TIMESTAMP,
  type Type,
  typeName,
  UINT,
} from './types.ts';
export { JsonConversionError, jsonOfValue, valueOfJson } from './values/json.ts';
export { ArrayList, ConcatenatedList, ListValue, TextList } from './values/list.ts';
export { EntriesMap, MapValue } from './values/map.ts';
export { ObjectValue } from './values/object-value.ts';
export { OptionalValue } from './values/optional.ts';
export type { Bytes } from './values/scalars.ts';
export { Double } from './values/scalars.ts';
export { type ValueSchema, valueOfSchema } from './values/schema/index.ts';
export type { Timestamp } from './values/time.ts';
export type { Value } from './values/value.ts';
