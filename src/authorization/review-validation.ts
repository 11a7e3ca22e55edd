import { quote } from '../errors/quote.ts';
import type {
  LabelSelectorAttributes,
  NonResourceAttributes,
  SubjectAccessReviewSpec,
} from '../model/generated/authorization-v1.ts';
import type { LabelSelectorRequirement } from '../model/generated/meta-v1.ts';
import type { Life } from '../model/life.ts';
import { labelValue, qualifiedName } from '../model/name-syntax.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { RuleContext } from '../model/rule-context.ts';
import type { ApiError } from '../status/api-error.ts';
import { errors } from '../status/errors.ts';
import {
  type FieldError,
  firstErrors,
  forbidden,
  invalid,
  invalidFormatted,
  required,
} from '../status/field-error.ts';

export type AccessReviewKind = 'SelfSubjectAccessReview' | 'SubjectAccessReview' | 'LocalSubjectAccessReview';

/** The 422 of an invalid review; undefined for a valid one. Its details have a group but no kind. */
export function accessReviewError(
  kind: AccessReviewKind,
  review: KubernetesObject,
  context: Pick<RuleContext, 'has'>,
): ApiError | undefined {
  const list = firstErrors(() => validateAccessReview(kind, review, context));
  return list.length === 0
    ? undefined
    : errors.invalid({ group: 'authorization.k8s.io', kind: '' }, '', list);
}

/** The releases that report at the specification that it has no attributes, or both kinds of them. */
const NAMES_SPEC: Life = { since: '1.37' };
const ONE_OF = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

function validateAccessReview(
  kind: AccessReviewKind,
  review: KubernetesObject,
  { has }: Pick<RuleContext, 'has'>,
): FieldError[] {
  const spec = (review.spec ?? {}) as SubjectAccessReviewSpec;
  const { resourceAttributes, nonResourceAttributes } = spec;
  const list: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    list.push(
      has(NAMES_SPEC)
        ? invalid('spec', internalForm(nonResourceAttributes), ONE_OF)
        : invalidPath(nonResourceAttributes, 'cannot be specified in combination with resourceAttributes'),
    );
  if (resourceAttributes === undefined && nonResourceAttributes === undefined)
    list.push(
      has(NAMES_SPEC)
        ? invalidFormatted('spec', 'null', ONE_OF)
        : invalid('spec.resourceAttributes', 'null', ONE_OF),
    );
  if (kind !== 'SelfSubjectAccessReview' && !spec.user && (spec.groups ?? []).length === 0)
    list.push(invalid('spec.user', spec.user ?? '', 'at least one of user or group must be specified'));
  if (resourceAttributes !== undefined) {
    list.push(
      ...selectorErrors(
        'spec.resourceAttributes.fieldSelector',
        resourceAttributes.fieldSelector,
        fieldRequirementErrors,
      ),
    );
    list.push(
      ...selectorErrors(
        'spec.resourceAttributes.labelSelector',
        resourceAttributes.labelSelector,
        labelRequirementErrors,
      ),
    );
  }
  const isLocal = kind === 'LocalSubjectAccessReview';
  if (!isEmptyMetadata(review, isLocal))
    list.push(
      invalid('metadata', review.metadata, isLocal ? 'must be empty except for namespace' : 'must be empty'),
    );
  if (isLocal) {
    if (
      resourceAttributes !== undefined &&
      (resourceAttributes.namespace ?? '') !== (review.metadata?.namespace ?? '')
    )
      list.push(
        invalid(
          'spec.resourceAttributes.namespace',
          resourceAttributes.namespace ?? '',
          'must match metadata.namespace',
        ),
      );
    if (nonResourceAttributes !== undefined)
      list.push(invalidPath(nonResourceAttributes, 'disallowed on this kind of request'));
  }
  return list;
}

const invalidPath = ({ path = '', verb = '' }: NonResourceAttributes, detail: string): FieldError =>
  invalidFormatted(
    'spec.nonResourceAttributes',
    `authorization.NonResourceAttributes{Path:${quote(path)}, Verb:${quote(verb)}}`,
    detail,
  );

/** The attributes with the names that the internal type of kube-apiserver has. */
const internalForm = ({ path = '', verb = '' }: NonResourceAttributes): object => ({
  Path: path,
  Verb: verb,
});

/** Whether the client sent no metadata; managed fields, which the server sets, are ignored. */
function isEmptyMetadata({ metadata = {} }: KubernetesObject, mayHaveNamespace: boolean): boolean {
  const { managedFields, creationTimestamp, namespace, ...rest } = metadata;
  if (namespace && !mayHaveNamespace) return false;
  return (
    !creationTimestamp &&
    Object.values(rest).every(
      (value) =>
        value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0),
    )
  );
}

type RequirementErrors = (path: string, requirement: LabelSelectorRequirement) => FieldError[];

function selectorErrors(
  path: string,
  selector: LabelSelectorAttributes | undefined,
  check: RequirementErrors,
): FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const list: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0)
    list.push(
      invalid(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'),
    );
  if (rawSelector === '' && requirements.length === 0)
    list.push(
      required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`),
    );
  return [
    ...list,
    ...requirements.flatMap((requirement, index) => check(`${path}.requirements[${index}]`, requirement)),
  ];
}

function valueErrors(path: string, { operator, values = [] }: LabelSelectorRequirement): FieldError[] {
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    return [
      forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
    ];
  return [];
}

const fieldRequirementErrors: RequirementErrors = (path, requirement) => [
  ...(requirement.key ? [] : [required(`${path}.key`, 'must be specified')]),
  ...valueErrors(path, requirement),
];

/** Operators that this server does not know are allowed: clients may be newer. */
const labelRequirementErrors: RequirementErrors = (path, requirement) => [
  ...valueErrors(path, requirement),
  ...qualifiedName(requirement.key ?? '').map((text) => invalid(`${path}.key`, requirement.key ?? '', text)),
  ...(requirement.values ?? []).flatMap((value, index) =>
    labelValue(value).map((text) => invalid(`${path}.values[${index}]`, value, text)),
  ),
];
