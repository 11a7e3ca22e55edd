import type { DeviceTaintRule, DeviceTaintSelector } from '../../model/generated/resource-v1alpha3.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, tooMany } from '../../status/field-error.ts';
import { checkExpressions } from '../admissionregistration/expression-checks.ts';
import type { ExpressionChecker } from '../admissionregistration/expressions.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { AgeCell } from '../table.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { validateConditions } from '../validation/conditions.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { invalidTexts } from '../validation/fields.ts';
import { COMPILING_SELECTORS, validateSelector } from './device-expressions.ts';
import { validateBoundedList } from './device-requests.ts';
import { setTimeAdded, validateDeviceTaint } from './device-taints.ts';
import { validatePoolName } from './qualified-names.ts';

const MAXIMUM_CONDITIONS = 8;

/** The releases in which a new effect counts from the time of its change. */
const COUNTS_FROM_EFFECT: Life = { since: '1.36' };

type Spec = NonNullable<DeviceTaintRule['spec']>;
const specOf = ({ spec = {} }: DeviceTaintRule): Spec => spec;

function validateDevices(
  selector: DeviceTaintSelector,
  field: string,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] {
  const { deviceClassName, driver, pool, device } = selector;
  return [
    ...(deviceClassName === undefined
      ? []
      : invalidTexts(`${field}.deviceClassName`, deviceClassName, dns1123Subdomain(deviceClassName))),
    ...(driver === undefined ? [] : validateDriverName(driver, `${field}.driver`, context)),
    ...(pool === undefined ? [] : validatePoolName(selector, pool, `${field}.pool`)),
    ...(device === undefined ? [] : invalidTexts(`${field}.device`, device, dns1123Label(device))),
    ...validateBoundedList(selector.selectors, `${field}.selectors`, (one, path) =>
      validateSelector(one, path, checker),
    ),
  ];
}

function validate(
  object: DeviceTaintRule,
  old: DeviceTaintRule | undefined,
  checker: ExpressionChecker,
  context: RuleContext,
): FieldError[] {
  const { deviceSelector, taint = {} } = specOf(object);
  return [
    ...(deviceSelector === undefined
      ? []
      : validateDevices(deviceSelector, 'spec.deviceSelector', checker, context)),
    ...validateDeviceTaint(taint, 'spec.taint', context, old && (specOf(old).taint ?? {})),
  ];
}

function validateStatus(
  { status: { conditions = [] } = {} }: DeviceTaintRule,
  _old: DeviceTaintRule,
  context: RuleContext,
): FieldError[] {
  return [
    ...validateConditions(conditions, 'status.conditions', context),
    ...(conditions.length > MAXIMUM_CONDITIONS
      ? [tooMany('status.conditions', conditions.length, MAXIMUM_CONDITIONS)]
      : []),
  ];
}

function prepareForUpdate(object: DeviceTaintRule, old: DeviceTaintRule, context: StrategyContext): void {
  const { taint } = specOf(object);
  if (taint === undefined) return;
  const before = specOf(old).taint;
  if (
    context.has(COUNTS_FROM_EFFECT) &&
    taint.effect !== before?.effect &&
    taint.timeAdded === before?.timeAdded
  )
    taint.timeAdded = context.now();
  setTimeAdded(taint, context);
}

export const deviceTaintRuleStrategy = (checker: ExpressionChecker): Strategy => ({
  ...checkExpressions(validate, checker),
  prepareForCreate: (object: DeviceTaintRule, context) => setTimeAdded(object.spec?.taint, context),
  prepareForUpdate,
  validateSubresource: { status: validateStatus },
  status: { updatesMetadata: false },
  managesGeneration: true,
  // Versions that are older than this rule allow it.
  requiresResourceVersion: (version) => version === 'v1',
});

export const deviceTaintRules = defineResource({
  group: 'resource.k8s.io',
  versions: [
    { name: 'v1', since: '1.37' },
    { name: 'v1beta2', since: '1.36', deprecation: { since: '1.39', unavailable: '1.42' } },
    { name: 'v1alpha3', since: '1.33' },
  ],
  resource: 'devicetaintrules',
  kind: 'DeviceTaintRule',
  scope: 'Cluster',
  subresources: [{ name: 'status', since: '1.35' }],
  strategy: deviceTaintRuleStrategy(COMPILING_SELECTORS),
  table: table<DeviceTaintRule>(
    [
      NAME,
      column('Key', 'Key of the taint.'),
      column('Value', 'Value of the taint.'),
      column('Effect', 'Effect of the taint.'),
      column('TimeAdded', 'Time since the taint was added.'),
      AGE,
    ],
    (object) => {
      const { key = '', value = '', effect = '', timeAdded } = specOf(object).taint ?? {};
      const added = timeAdded === undefined ? '' : new AgeCell(timeAdded);
      return [nameOf(object), key, value, effect, added, ageOf(object)];
    },
  ),
});
