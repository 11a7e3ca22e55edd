import type { KubernetesObject } from '../model/object.ts';
import type {
  Attributes,
  Authorizer,
  AuthorizerResult,
  ResolvedRules,
  SelectorAttributes,
} from '../request/attributes.ts';
import type { UserInfo } from '../request/user.ts';
import { errors } from '../status/errors.ts';
import { joinErrors } from './authorizers.ts';
import { fieldSelectorAttributes, labelSelectorAttributes } from './review-selectors.ts';
import { type AccessReviewKind, type AccessReviewSpec, accessReviewError } from './review-validation.ts';

/**
 * Answers SelfSubjectAccessReview, SubjectAccessReview and LocalSubjectAccessReview.
 * @param asker whose rights a self review is about
 * @returns the review with its status
 * @throws ApiError 422 for a review that asks wrongly
 */
export async function reviewAccess(
  kind: AccessReviewKind,
  review: KubernetesObject,
  asker: UserInfo,
  authorizer: Authorizer,
): Promise<KubernetesObject> {
  const wrong = accessReviewError(kind, review);
  if (wrong !== undefined) throw wrong;
  const spec = review.spec as AccessReviewSpec;
  const attributes = attributesOf(spec, kind === 'SelfSubjectAccessReview' ? asker : subjectOf(spec));
  const result = await authorizer.authorize(attributes);
  const { namespace } = review.metadata ?? {};
  return {
    ...review,
    metadata: kind === 'LocalSubjectAccessReview' ? { namespace } : {},
    status: statusOf(result, attributes),
  };
}

function subjectOf({ user = '', uid = '', groups = [], extra = {} }: AccessReviewSpec): UserInfo {
  return { name: user, uid, groups, extra: new Map(Object.entries(extra)) };
}

function attributesOf(
  { resourceAttributes, nonResourceAttributes }: AccessReviewSpec,
  user: UserInfo,
): Attributes {
  const none = {
    user,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
  };
  if (resourceAttributes === undefined)
    return {
      ...none,
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
  const fieldSelector = fieldSelectorAttributes(resourceAttributes.fieldSelector);
  const labelSelector = labelSelectorAttributes(resourceAttributes.labelSelector);
  return {
    user,
    isResource: true,
    path: '',
    verb,
    group,
    // A review that names no version is about all of them.
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
  const trouble = joinErrors([
    ...(error === undefined ? [] : [error]),
    ...selectorTrouble('fieldSelector', fieldSelector),
    ...selectorTrouble('labelSelector', labelSelector),
  ]);
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(trouble === undefined ? {} : { evaluationError: trouble.message }),
  };
}

function selectorTrouble(member: string, selector: SelectorAttributes | undefined): Error[] {
  if (selector?.error === undefined) return [];
  return [
    new Error(
      `spec.resourceAttributes.${member} ${selector.requirements.length > 0 ? 'partially ignored' : 'ignored'} due to parse error`,
    ),
  ];
}

const EVERY_RULE_UNKNOWN: ResolvedRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: 'the authorizer cannot list rules',
};

/**
 * Answers SelfSubjectRulesReview: what the asker may do in `spec.namespace`.
 * @throws ApiError 400 without a namespace
 */
export async function reviewRules(
  review: KubernetesObject,
  asker: UserInfo,
  authorizer: Authorizer,
): Promise<KubernetesObject> {
  const { namespace = '' } = (review.spec ?? {}) as { namespace?: string };
  if (namespace === '') throw errors.badRequest('no namespace on request');
  const { resourceRules, nonResourceRules, incomplete, evaluationError } =
    (await authorizer.rulesFor?.(asker, namespace)) ?? EVERY_RULE_UNKNOWN;
  return {
    ...review,
    metadata: {},
    // The namespace asked for is not repeated.
    spec: {},
    status: {
      resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        ...given({ apiGroups, resources, resourceNames }),
      })),
      nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
        verbs,
        ...given({ nonResourceURLs }),
      })),
      incomplete,
      ...(evaluationError === undefined ? {} : { evaluationError }),
    },
  };
}

const given = (lists: Record<string, readonly string[] | undefined>): object =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined && list.length > 0));
