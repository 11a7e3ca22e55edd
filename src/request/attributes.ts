import type { UserInfo } from './user.ts';

/** The attributes of a request for authorization, admission and audit. */
export interface Attributes {
  readonly user: UserInfo;
  /**
   * get, list, watch, create, update, patch, delete, deletecollection, proxy, or the lower-case method for a
   * non-resource path.
   */
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Selector requirements of list, watch and deletecollection (AuthorizeWithSelectors). */
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

/** The parts of {@link Attributes} that a request outside the resources lacks. */
export const NO_RESOURCE = {
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
} as const;

/** Attributes of an access to a resource: in all versions, namespaces and names unless they are given. */
export const resourceAccess = (
  parts: Pick<Attributes, 'user' | 'verb' | 'resource'> & Partial<Attributes>,
): Attributes => ({ ...NO_RESOURCE, version: '*', isResource: true, path: '', ...parts });

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}
export interface SelectorAttributes {
  readonly requirements: readonly SelectorRequirement[];
  readonly error?: Error;
}

export type Decision = 'allow' | 'deny' | 'no-opinion';
export interface AuthorizerResult {
  readonly decision: Decision;
  readonly reason: string;
  readonly error?: Error;
}

/** One authorizer. Authorizers run in order; the first allow or deny decides. */
export interface Authorizer {
  readonly name: string;
  authorize(attributes: Attributes): AuthorizerResult | Promise<AuthorizerResult>;
  /** Returns the rules for a user in a namespace (SelfSubjectRulesReview). */
  rulesFor?(user: UserInfo, namespace: string): ResolvedRules | Promise<ResolvedRules>;
}

export interface ResolvedRules {
  readonly resourceRules: readonly {
    verbs: readonly string[];
    apiGroups?: readonly string[];
    resources?: readonly string[];
    resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly { verbs: readonly string[]; nonResourceURLs?: readonly string[] }[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}
