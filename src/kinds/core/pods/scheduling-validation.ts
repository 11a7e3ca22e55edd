import type { PodSpec, Toleration, TopologySpreadConstraint } from '../../../model/generated/core-v1.ts';
import { labelValue, qualifiedName } from '../../../model/name-syntax.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isValid,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { validateLabelName, validateLabelSelector } from '../../validation/labels.ts';
import { validateLabelKeys } from './affinity-validation.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';

/** The feature gates of label keys in topology spread constraints. */
export const MATCH_LABEL_KEYS = 'MatchLabelKeysInPodTopologySpread';
export const MERGED_SELECTORS = 'MatchLabelKeysInPodTopologySpreadSelectorMerge';

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
  { topologySpreadConstraints: constraints = [] }: PodSpec,
  field: string,
  options: PodSpecValidationOptions,
): FieldError[] {
  const validateKeys = mergesSelectors(options) ? validateMergedKeys : validateSeparateKeys;
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
    errors.push(...validateKeys(constraint, path));
    return [...errors, ...validateLabelSelector(labelSelector, `${path}.labelSelector`)];
  });
}

/** Validates keys whose values the scheduler adds to the selector. */
function validateSeparateKeys(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  field: string,
): FieldError[] {
  const errors: FieldError[] =
    matchLabelKeys.length > 0 && labelSelector === undefined
      ? [forbidden(`${field}.matchLabelKeys`, 'must not be specified when labelSelector is not set')]
      : [];
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key = '' }) => key),
  ]);
  return [
    ...errors,
    ...matchLabelKeys.flatMap((key, index) => {
      const path = `${field}.matchLabelKeys[${index}]`;
      return [
        ...validateLabelName(key, path),
        ...(selected.has(key) ? [invalid(path, key, 'exists in both matchLabelKeys and labelSelector')] : []),
      ];
    }),
  ];
}

/** Validates keys whose values the server added to the selector when the pod was created. */
const validateMergedKeys = (
  { labelSelector, matchLabelKeys }: TopologySpreadConstraint,
  field: string,
): FieldError[] => validateLabelKeys({ labelSelector, matchLabelKeys }, field);

/**
 * Which of the two rules of keys holds: that of the feature gate, or the other one where the pod was stored while
 * the gate was set otherwise, because its constraints cannot change.
 */
function mergesSelectors({ isOn, old }: PodSpecValidationOptions): boolean {
  if (!isOn(MATCH_LABEL_KEYS)) return false;
  const merges = isOn(MERGED_SELECTORS);
  const rule = merges ? validateMergedKeys : validateSeparateKeys;
  const isBroken = (old?.topologySpreadConstraints ?? []).some(
    (constraint) => !isValid(() => rule(constraint, '')),
  );
  return merges !== isBroken;
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
