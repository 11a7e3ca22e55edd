import {
  ADMISSION_REQUEST,
  DEVICE,
  NAMESPACE,
  SUBJECT_ACCESS_REVIEW_SPEC,
  USER_INFO,
} from './declarations/object-types.ts';
import { AUTHORIZER, RESOURCE_CHECK } from './declarations/opaque-types.ts';
import { ANY, BOOL, DYN, declaredTypeName, map, NULL, STRING, sameType, type Type } from './types.ts';

/**
 * A place where the API takes expressions: what they see, what they may be, and what is said when they are
 * something else.
 */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>;
  /** The types an expression may have; undefined: any. */
  readonly results: readonly Type[] | undefined;
  /** Whether the message about a wrong type says which it is. */
  readonly reportsActualType: boolean;
}

/** What differs between policies. */
export interface PolicyOptions {
  /** The policy has `paramKind`. */
  readonly params: boolean;
  /** The type of `variables`, where the policy declares some. */
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
  namesWrongType = true,
): Environment => ({
  variables: new Map(variables),
  results,
  reportsActualType: namesWrongType,
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

/** The rule of a validating policy. */
export const policyValidation = (options: PolicyOptions): Environment => admission(options, true, [BOOL]);

/** The message of a validating policy's rule. */
export const policyMessage = (options: PolicyOptions): Environment => admission(options, false, [STRING]);

/** The value of an audit annotation. */
export const policyAuditAnnotation = (options: PolicyOptions): Environment =>
  admission(options, true, [STRING, NULL]);

/** A variable of a policy; `variables` has those before it. */
export const policyVariable = (options: PolicyOptions): Environment => admission(options, true, undefined);

/** A condition of a policy (with `params`) or of an admission webhook on the requests that it is for. */
export const matchCondition = (params: boolean): Environment => admission({ params }, true, [BOOL]);

/** A selector of devices. */
export const DEVICE_SELECTOR: Environment = environment([['device', DEVICE]], [BOOL], false);

/** A condition of an authorization webhook. */
export const AUTHORIZATION_MATCH_CONDITION: Environment = environment(
  [['request', SUBJECT_ACCESS_REVIEW_SPEC]],
  [BOOL],
);

const CLAIMS: readonly (readonly [string, Type])[] = [['claims', map(STRING, ANY)]];

/** What is made of a token's claims. The type is looked at when there is a value. */
export const CLAIM_MAPPING: Environment = environment(CLAIMS, undefined);

/** A rule about a token's claims. */
export const CLAIM_VALIDATION: Environment = environment(CLAIMS, [BOOL], false);

/** A rule about the user that was made of a token. */
export const USER_VALIDATION: Environment = environment([['user', USER_INFO]], [BOOL], false);

/** What is said about an expression of a type that the place does not take; undefined when it does. */
export function resultTypeError(
  { results, reportsActualType: namesWrongType }: Environment,
  type: Type,
): string | undefined {
  if (results === undefined || results.some((result) => sameType(result, type))) return undefined;
  const names = results.map(declaredTypeName);
  const expected = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return `must evaluate to ${expected}${namesWrongType ? ` but got ${declaredTypeName(type)}` : ''}`;
}
