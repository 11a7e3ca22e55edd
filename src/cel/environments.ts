import type { EnvironmentParts } from './declarations/declarations.ts';
import {
  ADMISSION_REQUEST,
  DEVICE,
  NAMESPACE,
  SUBJECT_ACCESS_REVIEW_SPEC,
  USER_INFO,
} from './declarations/object-types.ts';
import { AUTHORIZER, RESOURCE_CHECK } from './declarations/opaque-types.ts';
import { JSON_PATCH, jsonPatchLibrary, OBJECT, PATCH_TYPES } from './declarations/patch-types.ts';
import { ANY, BOOL, DYN, declaredTypeName, list, map, NULL, STRING, sameType, type Type } from './types.ts';

/** A field of the API that holds an expression: the variables in scope and the allowed result types. */
export interface Environment extends EnvironmentParts {
  /** The result types that are allowed; undefined allows any. */
  readonly results: readonly Type[] | undefined;
  /** Whether the error about a wrong result type names the actual type. */
  readonly reportsActualType: boolean;
}

/** Options that differ between policies. */
export interface PolicyOptions {
  /** The policy has `paramKind`. */
  readonly params: boolean;
  /** The type of `variables`, when the policy declares any. */
  readonly variables?: Type;
}

const ADMISSION: readonly (readonly [string, Type])[] = [
  ['object', DYN],
  ['oldObject', DYN],
  ['request', ADMISSION_REQUEST],
  ['namespaceObject', NAMESPACE],
];

const AUTHORIZERS: readonly (readonly [string, Type])[] = [
  ['authorizer', AUTHORIZER],
  ['authorizer.requestResource', RESOURCE_CHECK],
];

const environment = (
  variables: Iterable<readonly [string, Type]>,
  results: readonly Type[] | undefined,
  reportsActualType = true,
): Environment => ({
  variables: new Map(variables),
  results,
  reportsActualType,
});

const admission = (
  { params, variables }: PolicyOptions,
  authorizers: boolean,
  results: readonly Type[] | undefined,
): Environment => {
  const declared = [...ADMISSION, ...(authorizers ? AUTHORIZERS : [])];
  if (params) declared.push(['params', DYN]);
  if (variables !== undefined) declared.push(['variables', variables]);
  return environment(declared, results);
};

/** A validation of a validating admission policy. */
export const policyValidation = (options: PolicyOptions): Environment => admission(options, true, [BOOL]);

/** The `messageExpression` of a policy's validation. */
export const policyMessage = (options: PolicyOptions): Environment => admission(options, false, [STRING]);

/** The `valueExpression` of an audit annotation. */
export const policyAuditAnnotation = (options: PolicyOptions): Environment =>
  admission(options, true, [STRING, NULL]);

/** A variable of a policy; `variables` holds the earlier ones. */
export const policyVariable = (options: PolicyOptions): Environment => admission(options, true, undefined);

/** The types of a policy that is checked against the schema of one kind. */
export interface CheckedPolicyTypes {
  /** Of `object` and `oldObject`. */
  readonly object: Type;
  /** Undefined without a known `paramKind`. */
  readonly params: Type | undefined;
  readonly variables: Type;
}

/** All expressions of a policy that is checked with the types of its objects. */
export const policyTypeCheck = ({ object, params, variables }: CheckedPolicyTypes): Environment =>
  environment(
    [
      ...ADMISSION,
      ['object', object],
      ['oldObject', object],
      ['authorizer', AUTHORIZER],
      ['variables', variables],
      ...(params === undefined ? [] : ([['params', params]] as const)),
    ],
    undefined,
  );

const mutation = (options: PolicyOptions, result: Type): Environment => ({
  ...admission(options, true, [result]),
  types: PATCH_TYPES,
  library: jsonPatchLibrary,
});

/** The `applyConfiguration` of a mutating policy. */
export const policyApplyConfiguration = (options: PolicyOptions): Environment => mutation(options, OBJECT);

/** The `jsonPatch` of a mutating policy. */
export const policyJsonPatch = (options: PolicyOptions): Environment => mutation(options, list(JSON_PATCH));

/** A match condition of a policy (with `params`) or of an admission webhook. */
export const matchCondition = (params: boolean): Environment => admission({ params }, true, [BOOL]);

/** A CEL device selector of dynamic resource allocation. */
export const DEVICE_SELECTOR: Environment = environment([['device', DEVICE]], [BOOL], false);

/** A match condition of an authorization webhook. */
export const AUTHORIZATION_MATCH_CONDITION: Environment = environment(
  [['request', SUBJECT_ACCESS_REVIEW_SPEC]],
  [BOOL],
);

const CLAIMS: readonly (readonly [string, Type])[] = [['claims', map(STRING, ANY)]];

/** A mapping of token claims. The result type is checked at evaluation. */
export const CLAIM_MAPPING: Environment = environment(CLAIMS, undefined);

/** A validation rule for token claims. */
export const CLAIM_VALIDATION: Environment = environment(CLAIMS, [BOOL], false);

/** A validation rule for the user mapped from a token. */
export const USER_VALIDATION: Environment = environment([['user', USER_INFO]], [BOOL], false);

/** The error for an expression whose type the environment does not allow; undefined when it is allowed. */
export function resultTypeError({ results, reportsActualType }: Environment, type: Type): string | undefined {
  if (results === undefined || results.some((result) => sameType(result, type))) return undefined;
  const names = results.map(declaredTypeName);
  const expected = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return `must evaluate to ${expected}${reportsActualType ? ` but got ${declaredTypeName(type)}` : ''}`;
}
