import type { PodSpec, Toleration, TopologySpreadConstraint } from '../../../model/generated/core-v1.ts';
import { labelValue, qualifiedName } from '../../../model/name-syntax.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { validateLabelName, validateLabelSelector } from '../../validation/labels.ts';

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const SPREAD_ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const INCLUSION_POLICIES = ['Honor', 'Ignore'];

/** Validates tolerations. */
export function validateTolerations(tolerations: readonly Toleration[] = [], field: string): FieldError[] {
  return checkEach(
    tolerations,
    { place: field, cost: 2 },
    ({ key = '', operator = '', value = '', effect = '', tolerationSeconds }, index) => {
      const path = `${field}[${index}]`;
      const errors = key === '' ? [] : validateLabelName(key, `${path}.key`);
      if (key === '' && operator !== 'Exists')
        errors.push(
          invalid(
            `${path}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        );
      if (tolerationSeconds !== undefined && effect !== 'NoExecute')
        errors.push(
          invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
        );
      if (operator === 'Equal' || operator === '') {
        const texts = labelValue(value);
        if (texts.length > 0) errors.push(invalid(`${path}.operator`, value, texts.join(';')));
      } else if (operator === 'Exists') {
        if (value !== '')
          errors.push(invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      } else errors.push(notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
      if (effect !== '') errors.push(...validateOneOf(effect, TAINT_EFFECTS, `${path}.effect`));
      return errors;
    },
  );
}

/** Validates topology spread constraints. */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[] = [],
  field: string,
): FieldError[] {
  const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: TopologySpreadConstraint): string =>
    `{${topologyKey}, ${whenUnsatisfiable}}`;
  // Of duplicate pairs all but the last are rejected.
  const last = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  return checkEach(constraints, { place: field, cost: 4 }, (constraint, index) => {
    const {
      maxSkew = 0,
      topologyKey = '',
      whenUnsatisfiable = '',
      minDomains,
      nodeAffinityPolicy,
      nodeTaintsPolicy,
      labelSelector,
      matchLabelKeys = [],
    } = constraint;
    const path = `${field}[${index}]`;
    const errors: FieldError[] =
      maxSkew > 0 ? [] : [invalid(`${path}.maxSkew`, maxSkew, 'must be greater than zero')];
    if (topologyKey === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
    errors.push(...validateOneOf(whenUnsatisfiable, SPREAD_ACTIONS, `${path}.whenUnsatisfiable`));
    const pair = pairOf(constraint);
    if (last.get(pair) !== index) errors.push(duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, pair));
    if (minDomains !== undefined && minDomains <= 0)
      errors.push(invalid(`${path}.minDomains`, minDomains, 'must be greater than zero'));
    if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule')
      errors.push(
        invalid(
          `${path}.minDomains`,
          minDomains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
        ),
      );
    if (nodeAffinityPolicy !== undefined)
      errors.push(...validateOneOf(nodeAffinityPolicy, INCLUSION_POLICIES, `${path}.nodeAffinityPolicy`));
    if (nodeTaintsPolicy !== undefined)
      errors.push(...validateOneOf(nodeTaintsPolicy, INCLUSION_POLICIES, `${path}.nodeTaintsPolicy`));
    if (matchLabelKeys.length > 0 && labelSelector === undefined)
      errors.push(forbidden(`${path}.matchLabelKeys`, 'must not be specified when labelSelector is not set'));
    const selected = new Set([
      ...Object.keys(labelSelector?.matchLabels ?? {}),
      ...(labelSelector?.matchExpressions ?? []).map(({ key = '' }) => key),
    ]);
    const keyErrors = checkEach(matchLabelKeys, { place: path, cost: 2 }, (key, keyIndex) => [
      ...validateLabelName(key, `${path}.matchLabelKeys[${keyIndex}]`),
      ...(selected.has(key)
        ? [
            invalid(
              `${path}.matchLabelKeys[${keyIndex}]`,
              key,
              'exists in both matchLabelKeys and labelSelector',
            ),
          ]
        : []),
    ]);
    return [...errors, ...keyErrors, ...validateLabelSelector(labelSelector, `${path}.labelSelector`)];
  });
}

/** Validates readiness gates and scheduling gates. */
export function validateGates(
  { schedulingGates = [], readinessGates = [] }: PodSpec,
  field: string,
): FieldError[] {
  const repeated = findDuplicates(schedulingGates, ({ name = '' }) => name);
  return [
    ...checkEach(readinessGates, { place: field }, ({ conditionType = '' }, index) =>
      invalidTexts(
        `${field}.readinessGates[${index}].conditionType`,
        conditionType,
        qualifiedName(conditionType),
      ),
    ),
    ...checkEach(schedulingGates, { place: field, cost: 2 }, ({ name = '' }, index) => {
      const path = `${field}.schedulingGates[${index}]`;
      const errors = invalidTexts(path, name, qualifiedName(name));
      if (repeated.has(index)) errors.push(duplicate(path, name));
      return errors;
    }),
  ];
}
