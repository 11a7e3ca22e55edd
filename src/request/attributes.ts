import type { UserInfo } from './user.ts';

/** What a request asks for, as the authorizers, admission and audit see it. */
export interface Attributes {
  readonly user: UserInfo;
  /**
   * get, list, watch, create, update, patch, delete, deletecollection, proxy, or the lower-case method for a
   * path that is no resource.
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
  /** Requirements of the selectors of list, watch and deletecollection (AuthorizeWithSelectors). */
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

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

/** One authorizer; an ordered list of them decides (first allow or deny wins). */
export interface Authorizer {
  readonly name: string;
  authorize(attributes: Attributes): AuthorizerResult | Promise<AuthorizerResult>;
  /** The rules that apply to a user in a namespace (SelfSubjectRulesReview). */
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
