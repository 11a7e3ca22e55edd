import type { SelfSubjectRulesReview, SubjectAccessReviewSpec } from '../model/generated/authorization-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';
import {
  type Attributes,
  type Authorizer,
  type AuthorizerResult,
  NO_RESOURCE,
  type ResolvedRules,
  type SelectorAttributes,
} from '../request/attributes.ts';
import type { UserInfo } from '../request/user.ts';
import { errors } from '../status/errors.ts';
import { Pace } from '../steps/pace.ts';
import { type Steps, waitFor } from '../steps/steps.ts';
import { joinErrors } from './authorizers.ts';
import { reviewedFieldSelector, reviewedLabelSelector } from './review-selectors.ts';
import { type AccessReviewKind, accessReviewError } from './review-validation.ts';

/**
 * Handles SelfSubjectAccessReview, SubjectAccessReview and LocalSubjectAccessReview, in steps.
 * @param requester subject of a self review
 * @returns the review with its status
 * @throws ApiError 422 for an invalid review
 */
export function* reviewAccess(
  kind: AccessReviewKind,
  review: KubernetesObject,
  requester: UserInfo,
  authorizer: Authorizer,
  context: Pick<RuleContext, 'has'>,
): Steps<KubernetesObject> {
  const invalid = accessReviewError(kind, review, context);
  if (invalid !== undefined) throw invalid;
  const spec = review.spec as SubjectAccessReviewSpec;
  const subject = kind === 'SelfSubjectAccessReview' ? requester : yield* subjectOf(spec);
  const attributes = attributesOf(spec, subject);
  const result = yield* waitFor(authorizer.authorize(attributes));
  const { namespace, managedFields } = review.metadata ?? {};
  return {
    ...review,
    metadata: { ...(kind === 'LocalSubjectAccessReview' ? { namespace } : {}), managedFields },
    status: statusOf(result, attributes),
  };
}

function* subjectOf(spec: SubjectAccessReviewSpec): Steps<UserInfo> {
  const { user = '', uid = '', groups = [], extra: values = {} } = spec;
  const extra = new Map<string, readonly string[]>();
  const pace = new Pace();
  for (const name of Object.keys(values)) {
    if (pace.isPause()) yield;
    extra.set(name, values[name]!);
  }
  return { name: user, uid, groups, extra };
}

function attributesOf(
  { resourceAttributes, nonResourceAttributes }: SubjectAccessReviewSpec,
  user: UserInfo,
): Attributes {
  if (resourceAttributes === undefined)
    return {
      ...NO_RESOURCE,
      user,
      isResource: false,
      path: nonResourceAttributes?.path ?? '',
      verb: nonResourceAttributes?.verb ?? '',
    };
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = resourceAttributes;
  const fieldSelector = reviewedFieldSelector(resourceAttributes.fieldSelector);
  const labelSelector = reviewedLabelSelector(resourceAttributes.labelSelector);
  return {
    user,
    isResource: true,
    path: '',
    verb,
    group,
    // A review without a version covers all versions.
    version: version === '' ? '*' : version,
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

function statusOf(
  { decision, reason, error }: AuthorizerResult,
  { fieldSelector, labelSelector }: Attributes,
): object {
  const evaluationError = joinErrors([
    ...(error === undefined ? [] : [error]),
    ...selectorErrors('fieldSelector', fieldSelector),
    ...selectorErrors('labelSelector', labelSelector),
  ]);
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === undefined ? {} : { evaluationError: evaluationError.message }),
  };
}

function selectorErrors(member: string, selector: SelectorAttributes | undefined): Error[] {
  if (selector?.error === undefined) return [];
  return [
    new Error(
      `spec.resourceAttributes.${member} ${selector.requirements.length > 0 ? 'partially ignored' : 'ignored'} due to parse error`,
    ),
  ];
}

const UNKNOWN_RULES: ResolvedRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: 'the authorizer cannot list rules',
};

/**
 * Handles SelfSubjectRulesReview: the rules of the requester in `spec.namespace`.
 * @throws ApiError 400 without a namespace
 */
export async function reviewRules(
  review: KubernetesObject,
  requester: UserInfo,
  authorizer: Authorizer,
): Promise<KubernetesObject> {
  const { namespace = '' } = (review as SelfSubjectRulesReview).spec ?? {};
  if (namespace === '') throw errors.badRequest('no namespace on request');
  const { resourceRules, nonResourceRules, incomplete, evaluationError } =
    (await authorizer.rulesFor?.(requester, namespace)) ?? UNKNOWN_RULES;
  return {
    ...review,
    metadata: {},
    // The spec is not returned.
    spec: {},
    status: {
      resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        ...nonEmpty({ apiGroups, resources, resourceNames }),
      })),
      nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
        verbs,
        ...nonEmpty({ nonResourceURLs }),
      })),
      incomplete,
      ...(evaluationError === undefined ? {} : { evaluationError }),
    },
  };
}

const nonEmpty = (lists: Record<string, readonly string[] | undefined>): object =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined && list.length > 0));
