import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
} from '../../model/generated/admissionregistration-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { duplicate, type FieldError, invalid, required } from '../../status/field-error.ts';
import { checkEach, once } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { exactlyEqual } from '../validation/exactly-equal.ts';
import { validateFullyQualifiedName, validateOneOf } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { REVIEW_VERSIONS, validateReviewVersions } from '../validation/review-versions.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { setWebhookClientDefaults, validateWebhookClient } from '../validation/webhook-client.ts';
import { checkExpressions } from './expression-checks.ts';
import { COMPILING, conditionEnvironment, type ExpressionChecker } from './expressions.ts';
import { validateMatchConditions } from './match-conditions-validation.ts';
import { setRuleDefaults, validateRule } from './rule-validation.ts';
import { storedConditions } from './stored-expressions.ts';

/** Mutating webhooks have one more member; validating webhooks are validated without it. */
type Configuration = MutatingWebhookConfiguration;

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAXIMUM_TIMEOUT_SECONDS = 30;
const REVIEW_VERSIONS_TEXT = `must specify one of ${REVIEW_VERSIONS.join(', ')}`;
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

/** Relaxed rules for objects that an older server stored. */
interface Rules {
  readonly anySideEffects?: boolean;
  readonly anyReviewVersions?: boolean;
  readonly repeatedNames?: boolean;
  /** The match conditions of all webhooks are unchanged. */
  readonly keepsConditions?: boolean;
  /** Expressions of the stored match conditions. */
  readonly conditions: ReadonlySet<string>;
}

const NEW: Rules = { conditions: new Set() };

function setDefaults({ webhooks = [] }: Configuration, mutating: boolean): void {
  for (const webhook of webhooks) {
    webhook.failurePolicy ??= 'Fail';
    webhook.matchPolicy ??= 'Equivalent';
    webhook.namespaceSelector ??= {};
    webhook.objectSelector ??= {};
    webhook.timeoutSeconds ??= DEFAULT_TIMEOUT_SECONDS;
    if (mutating) webhook.reinvocationPolicy ??= 'Never';
    setWebhookClientDefaults(webhook.clientConfig);
    setRuleDefaults(webhook.rules);
  }
}

function validateWebhook(
  webhook: MutatingWebhook,
  field: string,
  rules: Rules,
  checker: ExpressionChecker,
): FieldError[] {
  const { failurePolicy, matchPolicy, sideEffects, timeoutSeconds, reinvocationPolicy } = webhook;
  const sideEffectsErrors =
    sideEffects === undefined
      ? [required(`${field}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`)]
      : validateOneOf(
          sideEffects,
          rules.anySideEffects ? [...SIDE_EFFECTS, 'Some', 'Unknown'] : SIDE_EFFECTS,
          `${field}.sideEffects`,
        );
  const isTimeoutWrong =
    timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > MAXIMUM_TIMEOUT_SECONDS);
  return [
    ...validateFullyQualifiedName(webhook.name ?? '', `${field}.name`),
    ...(webhook.rules ?? []).flatMap((rule, index) => validateRule(rule, `${field}.rules[${index}]`)),
    ...(failurePolicy === undefined
      ? []
      : validateOneOf(failurePolicy, ['Fail', 'Ignore'], `${field}.failurePolicy`)),
    ...(matchPolicy === undefined
      ? []
      : validateOneOf(matchPolicy, ['Equivalent', 'Exact'], `${field}.matchPolicy`)),
    ...sideEffectsErrors,
    ...(isTimeoutWrong
      ? [
          invalid(
            `${field}.timeoutSeconds`,
            timeoutSeconds,
            `the timeout value must be between 1 and ${MAXIMUM_TIMEOUT_SECONDS} seconds`,
          ),
        ]
      : []),
    ...validateLabelSelector(webhook.namespaceSelector, `${field}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${field}.objectSelector`),
    ...(reinvocationPolicy === undefined
      ? []
      : validateOneOf(reinvocationPolicy, ['IfNeeded', 'Never'], `${field}.reinvocationPolicy`)),
    ...validateWebhookClient(webhook.clientConfig, `${field}.clientConfig`),
    ...(rules.keepsConditions
      ? []
      : validateMatchConditions(
          webhook.matchConditions,
          `${field}.matchConditions`,
          conditionEnvironment(rules.conditions),
          checker,
        )),
  ];
}

function validateConfiguration(
  { webhooks = [] }: Configuration,
  rules: Rules,
  checker: ExpressionChecker,
): FieldError[] {
  const names = once(webhooks, { place: 'repeated names', cost: webhooks.length }, () =>
    findDuplicates(webhooks, ({ name }) => name),
  );
  return checkEach(webhooks, { place: 'webhooks' }, (webhook, index) => {
    const field = `webhooks[${index}]`;
    const { name = '' } = webhook;
    const repeated = !rules.repeatedNames && name !== '' && names.has(index);
    return [
      ...validateWebhook(webhook, field, rules, checker),
      ...validateReviewVersions(
        webhook.admissionReviewVersions,
        `${field}.admissionReviewVersions`,
        REVIEW_VERSIONS_TEXT,
        rules.anyReviewVersions,
      ),
      ...(repeated ? [duplicate(`${field}.name`, name)] : []),
    ];
  });
}

function rulesOf({ webhooks = [] }: Configuration, { webhooks: next = [] }: Configuration): Rules {
  const names = webhooks.map(({ name }) => name);
  return {
    anySideEffects: webhooks.some(({ sideEffects }) => !SIDE_EFFECTS.includes(sideEffects ?? '')),
    anyReviewVersions: webhooks.some(
      ({ admissionReviewVersions = [] }) =>
        !admissionReviewVersions.some((version) => REVIEW_VERSIONS.includes(version)),
    ),
    repeatedNames: new Set(names).size < names.length,
    keepsConditions:
      webhooks.length === next.length &&
      webhooks.every((webhook, index) =>
        semanticEqual(webhook.matchConditions, next[index]!.matchConditions),
      ),
    conditions: storedConditions(webhooks.flatMap(({ matchConditions = [] }) => matchConditions)),
  };
}

const validateEither = (
  object: Configuration,
  old: Configuration | undefined,
  checker: ExpressionChecker,
): FieldError[] => {
  const cost = old?.webhooks?.length ?? 0;
  const rules = old === undefined ? NEW : once(object, { place: 'rules', cost }, () => rulesOf(old, object));
  return validateConfiguration(object, rules, checker);
};

/** @param mutating whether the webhooks are mutating */
export const webhookConfigurationStrategy = (mutating: boolean, checker: ExpressionChecker): Strategy => ({
  ...checkExpressions(validateEither, checker),
  defaulting: { byVersion: { v1: (object: Configuration) => setDefaults(object, mutating) } },
  managesGeneration: true,
  generationChanged: (object: Configuration, old: Configuration) =>
    !exactlyEqual(
      object.webhooks,
      old.webhooks,
      internalTypes.type(`admissionregistration_v1.${mutating ? 'Mutating' : 'Validating'}Webhook`),
    ),
  requiresResourceVersion: true,
  metadata: {
    allowsUnqualifiedFinalizers: true,
    checks: { update: ['whole'] },
  },
});

const webhookConfigurationTable = table<MutatingWebhookConfiguration>(
  [NAME, column('Webhooks', 'Number of webhooks.', 'integer'), AGE],
  (object) => [nameOf(object), object.webhooks?.length ?? 0, ageOf(object)],
);

export const mutatingWebhookConfigurations = defineResource({
  group: 'admissionregistration.k8s.io',
  versions: ['v1'],
  resource: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  categories: ['api-extensions'],
  scope: 'Cluster',
  strategy: webhookConfigurationStrategy(true, COMPILING),
  table: webhookConfigurationTable,
});

export const validatingWebhookConfigurations = defineResource({
  group: 'admissionregistration.k8s.io',
  versions: ['v1'],
  resource: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  categories: ['api-extensions'],
  scope: 'Cluster',
  strategy: webhookConfigurationStrategy(false, COMPILING),
  table: webhookConfigurationTable,
});
