import { fromPlain } from '../../codec/typed.ts';
import type { SubjectAccessReview } from '../../model/generated/authorization-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { checkReviewKind, type ReviewDocument } from '../../outbound/review-document.ts';
import type { Attributes, SelectorAttributes } from '../../request/attributes.ts';

/** Version of SubjectAccessReview that a webhook supports. */
export type ReviewVersion = 'v1' | 'v1beta1';

interface SelectorSpec {
  readonly requirements: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The spec of a SubjectAccessReview v1; empty members are omitted, as on the wire. */
export interface ReviewSpec {
  readonly resourceAttributes?: Readonly<Record<string, string | SelectorSpec>>;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly uid?: string;
}

/**
 * Operators that reviews support; other requirements are dropped, so that the review covers a superset.
 */
const OPERATORS = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/** The spec of the review for a request. */
export function reviewSpec(attributes: Attributes): ReviewSpec {
  const { user, isResource, path, verb } = attributes;
  return {
    ...(isResource
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: nonEmpty({ path, verb }) }),
    ...nonEmpty({ user: user.name }),
    ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    ...(user.extra.size === 0 ? {} : { extra: Object.fromEntries(user.extra) }),
    ...nonEmpty({ uid: user.uid }),
  };
}

function resourceAttributes(attributes: Attributes): Readonly<Record<string, string | SelectorSpec>> {
  const { namespace, verb, group, version, resource, subresource, name, fieldSelector, labelSelector } =
    attributes;
  return {
    ...nonEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...selector('fieldSelector', fieldSelector),
    ...selector('labelSelector', labelSelector),
  };
}

function selector(member: string, attributes: SelectorAttributes | undefined): Record<string, SelectorSpec> {
  const requirements = (attributes?.requirements ?? [])
    .filter(({ operator }) => OPERATORS.has(operator))
    .map(({ key, operator, values }) => ({ key, operator, ...(values.length === 0 ? {} : { values }) }));
  return requirements.length === 0 ? {} : { [member]: { requirements } };
}

const nonEmpty = (members: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ''));

/**
 * The posted SubjectAccessReview. In v1beta1 the groups are named `group`.
 * @param metadata what the release writes as empty metadata
 */
export function reviewDocument(spec: ReviewSpec, version: ReviewVersion, metadata: object): object {
  const { groups, ...rest } = spec;
  return {
    kind: 'SubjectAccessReview',
    apiVersion: `authorization.k8s.io/${version}`,
    metadata,
    spec: version === 'v1' ? spec : { ...rest, ...(groups === undefined ? {} : { group: groups }) },
    status: { allowed: false },
  };
}

/** What a webhook decided. */
export interface ReviewStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

const KIND = {
  group: 'authorization.k8s.io',
  kind: 'SubjectAccessReview',
  versions: ['v1', 'v1beta1'],
  others: ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview'],
};

/**
 * Reads the decision from the response of a webhook.
 * @throws ReviewDocumentError or DecodeError for a response that is not a review of the requested version
 */
export function readReviewStatus(response: ReviewDocument, version: ReviewVersion): ReviewStatus {
  checkReviewKind(response, KIND, version);
  // The versions differ in their spec only.
  const { value } = fromPlain(internalTypes.ofKind(KIND.group, 'v1', KIND.kind)!, response);
  const { allowed = false, denied = false, reason = '' } = (value as SubjectAccessReview).status ?? {};
  return { allowed, denied, reason };
}
