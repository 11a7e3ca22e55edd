import type {
  Affinity,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSpec,
} from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { dns1123Label, dns1123Subdomain, labelValue } from '../../../model/name-syntax.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { validateLabelName, validateLabelSelector, validateOperator } from '../../validation/labels.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

type Requirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

/** Cost of checking a term of a pod affinity. */
const TERM_COST = 3;

const validateWeight = (weight: number | undefined, field: string): FieldError[] =>
  (weight ?? 0) >= 1 && (weight ?? 0) <= 100
    ? []
    : [invalid(`${field}.weight`, weight ?? 0, 'must be in the range 1-100')];

/** Validates node affinity, pod affinity and pod anti-affinity. */
export function validateAffinity(
  affinity: Affinity | undefined,
  field: string,
  { has, old }: PodSpecValidationOptions,
): FieldError[] {
  if (affinity === undefined) return [];
  const { nodeAffinity } = affinity;
  const at = `${field}.nodeAffinity`;
  return [
    ...(nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution === undefined
      ? []
      : validateNodeSelector(
          nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution,
          `${at}.requiredDuringSchedulingIgnoredDuringExecution`,
          { checksValues: has(CHECKS_NODE_VALUES) && !hasInvalidValues(requiredNodes(old)) },
        )),
    ...checkEach(
      nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
      { place: at },
      ({ weight, preference = {} }, index) => {
        const path = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
        const terms = validateNodeSelectorTerm(preference, `${path}.preference`);
        return [...validateWeight(weight, path), ...terms];
      },
    ),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => [
      ...checkEach(
        affinity[name]?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
        { place: field, cost: TERM_COST },
        (term, index) =>
          validatePodAffinityTerm(
            term,
            `${field}.${name}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`,
          ),
      ),
      ...checkEach(
        affinity[name]?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
        { place: field, cost: TERM_COST },
        ({ weight, podAffinityTerm = {} }, index) => {
          const path = `${field}.${name}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
          return [
            ...validateWeight(weight, path),
            ...validatePodAffinityTerm(podAffinityTerm, `${path}.podAffinityTerm`),
          ];
        },
      ),
    ]),
  ];
}

/** The releases that check the values in the required node selectors of pods and volumes. */
export const CHECKS_NODE_VALUES: Life = { since: '1.33' };

type NodeSelector = { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] };

const requiredNodes = (spec: PodSpec | undefined): NodeSelector | undefined =>
  spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;

/** Whether an expression compares a label with what no label can have: a stored selector may stay as it is. */
export const hasInvalidValues = ({ nodeSelectorTerms = [] }: NodeSelector = {}): boolean =>
  nodeSelectorTerms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some((value) => labelValue(value).length > 0)),
  );

/** Validates a node selector. @param checksValues whether values must be label values */
export function validateNodeSelector(
  { nodeSelectorTerms = [] }: NodeSelector,
  field: string,
  { checksValues = false } = {},
): FieldError[] {
  if (nodeSelectorTerms.length === 0)
    return [required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')];
  return checkEach(nodeSelectorTerms, { place: field }, (term, index) =>
    validateNodeSelectorTerm(term, `${field}.nodeSelectorTerms[${index}]`, { checksValues }),
  );
}

export function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  field: string,
  { checksValues = false } = {},
): FieldError[] {
  return [
    ...checkEach(matchExpressions, { place: field, cost: 2 }, (requirement, index) =>
      validateExpression(requirement, `${field}.matchExpressions[${index}]`, checksValues),
    ),
    ...checkEach(matchFields, { place: field, cost: 2 }, (requirement, index) =>
      validateFieldRequirement(requirement, `${field}.matchFields[${index}]`),
    ),
  ];
}

/** Node selectors also compare values as numbers. */
function validateNodeOperator(operator: string, values: readonly string[], field: string): FieldError[] {
  if (operator !== 'Gt' && operator !== 'Lt') return validateOperator(operator, values, field);
  return values.length === 1
    ? []
    : [required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
}

function validateExpression(
  { key = '', operator = '', values = [] }: Requirement,
  field: string,
  checksValues: boolean,
): FieldError[] {
  return [
    ...validateNodeOperator(operator, values, field),
    ...validateLabelName(key, `${field}.key`),
    ...(checksValues
      ? checkEach(values, { place: field }, (value, index) =>
          invalidTexts(`${field}.values[${index}]`, value, labelValue(value)),
        )
      : []),
  ];
}

/** Validates a field requirement; `metadata.name` is the only supported field. */
function validateFieldRequirement(
  { key = '', operator = '', values = [] }: Requirement,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1)
    errors.push(
      required(
        `${field}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (key !== 'metadata.name')
    return [...errors, invalid(`${field}.key`, key, 'not a valid field selector key')];
  return [
    ...errors,
    ...checkEach(values, { place: `${field} as names` }, (value, index) =>
      invalidTexts(`${field}.values[${index}]`, value, dns1123Subdomain(value)),
    ),
  ];
}

function validatePodAffinityTerm(term: PodAffinityTerm, field: string): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term;
  return [
    ...validateLabelSelector(labelSelector, `${field}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
    ...checkEach(namespaces, { place: field }, (namespace) =>
      invalidTexts(`${field}.namespace`, namespace, dns1123Label(namespace)),
    ),
    ...validateLabelKeys(term, field),
    ...(topologyKey === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...validateLabelName(topologyKey, `${field}.topologyKey`),
  ];
}

/** Validates `matchLabelKeys` and `mismatchLabelKeys`, whose values come from the incoming pod. */
export function validateLabelKeys(
  {
    labelSelector,
    matchLabelKeys = [],
    mismatchLabelKeys = [],
  }: Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>,
  field: string,
): FieldError[] {
  const keys = (list: readonly string[], name: string): FieldError[] => {
    if (list.length > 0 && labelSelector === undefined)
      return [forbidden(`${field}.${name}`, 'must not be specified when labelSelector is not set')];
    return checkEach(list, { place: field, cost: 2 }, (key, index) =>
      validateLabelName(key, `${field}.${name}[${index}]`),
    );
  };
  const mismatched = new Set(mismatchLabelKeys);
  return [
    ...keys(matchLabelKeys, 'matchLabelKeys'),
    ...keys(mismatchLabelKeys, 'mismatchLabelKeys'),
    ...validateSelectedKeys(matchLabelKeys, labelSelector, field),
    ...checkEach(matchLabelKeys, { place: `mismatches of ${field}` }, (key, index) =>
      mismatched.has(key)
        ? [
            invalid(
              `${field}.matchLabelKeys[${index}]`,
              key,
              'exists in both matchLabelKeys and mismatchLabelKeys',
            ),
          ]
        : [],
    ),
  ];
}

/**
 * Rejects keys that the selector contains twice: one requirement was generated from `matchLabelKeys` at
 * creation, the other came from the client.
 */
function validateSelectedKeys(
  keys: readonly string[],
  selector: PodAffinityTerm['labelSelector'],
  field: string,
): FieldError[] {
  const places = new Map(keys.map((key, index) => [key, index]));
  const selected = new Set(Object.keys(selector?.matchLabels ?? {}));
  return (selector?.matchExpressions ?? []).flatMap(({ key = '' }) => {
    const isRepeated = places.has(key) && selected.has(key);
    selected.add(key);
    return isRepeated
      ? [invalid(`${field}[${places.get(key)}]`, key, 'exists in both matchLabelKeys and labelSelector')]
      : [];
  });
}
