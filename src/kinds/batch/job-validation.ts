import type { Job, JobSpec } from '../../model/generated/batch-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label } from '../../model/name-syntax.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  invalid,
  invalidFormatted,
  notSupported,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { TEMPLATE_MISMATCH, validatePodTemplate } from '../core/pods/pod-template-validation.ts';
import { type PodValidationOptions, withOldTemplate } from '../core/pods/pod-validation-options.ts';
import {
  appendAll,
  IMMUTABLE,
  validateDomainPrefixedPath,
  validateImmutable,
  validateNonNegative,
} from '../validation/fields.ts';
import { formatLabelSelector, formatStringMap } from '../validation/format-value.ts';
import { isUsableSelector, validateLabelSelector } from '../validation/labels.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './job-policies-validation.ts';
import {
  NEW_JOB_OPTIONS,
  PREFIXED_LABELS,
  type SelectorValidationOptions,
  validateGeneratedSelector,
} from './job-selector.ts';
import { validateJobTemplateUpdate } from './job-template-update.ts';

const MAXIMUM_INDEXED_PARALLELISM = 100_000;
const MAXIMUM_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
const MAXIMUM_WITH_MANY_COMPLETIONS = 10_000;
const MAXIMUM_MANAGER_BYTES = 63;

/** Validates a job. */
export function validateJob(
  job: Job,
  context: PodValidationOptions,
  rules: SelectorValidationOptions = NEW_JOB_OPTIONS,
): FieldError[] {
  return [
    ...validateGeneratedSelector(job, rules, context),
    ...validateSpec(job.spec ?? {}, context),
    ...validateHostnames(job),
  ];
}

/** Validates the specification of a job, including its selector. */
function validateSpec(spec: JobSpec, context: PodValidationOptions): FieldError[] {
  const { selector, template } = spec;
  const errors = validateJobSpec(spec, 'spec', context);
  if (selector === undefined) errors.push(required('spec.selector'));
  else appendAll(errors, validateLabelSelector(selector, 'spec.selector'));
  const labels = template?.metadata?.labels;
  if ((selector === undefined || isUsableSelector(selector)) && !labelSelectorMatches(selector, labels))
    errors.push(
      invalidFormatted('spec.template.metadata.labels', formatStringMap(labels, context), TEMPLATE_MISMATCH),
    );
  return errors;
}

/** Validates the hostname `<job>-<index>` of an indexed job's last pod. */
function validateHostnames({ metadata, spec = {} }: Job): FieldError[] {
  if (spec.completionMode !== 'Indexed' || (spec.completions ?? 0) <= 0) return [];
  const name = metadata?.name ?? '';
  const hostname = `${name}-${spec.completions! - 1}`;
  if (dns1123Label(hostname).length === 0) return [];
  return [invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${hostname}`)];
}

/** Validates a job specification without the selector, which the job template of a cron job lacks. */
export function validateJobSpec(spec: JobSpec, field: string, context: PodValidationOptions): FieldError[] {
  const numbers = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const;
  const { template = {} } = spec;
  const restartPolicy = template.spec?.restartPolicy ?? '';
  const errors = [
    ...numbers.flatMap((name) => validateNonNegative(spec[name], `${field}.${name}`)),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...validateManager(spec.managedBy, `${field}.managedBy`),
    ...validateCompletionMode(spec, field),
    ...(spec.podFailurePolicy === undefined
      ? []
      : validatePodFailurePolicy(spec, `${field}.podFailurePolicy`)),
    ...(spec.successPolicy === undefined ? [] : validateSuccessPolicy(spec, `${field}.successPolicy`)),
    ...validateReplacementPolicy(spec, `${field}.podReplacementPolicy`),
    ...validatePodTemplate(template, `${field}.template`, context),
  ];
  const policyField = `${field}.template.spec.restartPolicy`;
  // An absent policy is defaulted to `Always`.
  if (restartPolicy === 'Always' || restartPolicy === '')
    errors.push(required(policyField, 'valid values: "OnFailure", "Never"'));
  else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never')
    errors.push(notSupported(policyField, restartPolicy, ['OnFailure', 'Never']));
  else if (spec.podFailurePolicy !== undefined && restartPolicy !== 'Never')
    errors.push(
      invalid(policyField, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified'),
    );
  return errors;
}

function validateManager(managedBy: string | undefined, field: string): FieldError[] {
  if (managedBy === undefined) return [];
  return [
    ...validateDomainPrefixedPath(managedBy, field),
    ...(Buffer.byteLength(managedBy) > MAXIMUM_MANAGER_BYTES ? [tooLong(field, MAXIMUM_MANAGER_BYTES)] : []),
  ];
}

function validateReplacementPolicy(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  field: string,
): FieldError[] {
  if (policy === undefined) return [];
  const supported = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return supported.includes(policy) ? [] : [notSupported(field, policy, supported)];
}

function validateCompletionMode(spec: JobSpec, field: string): FieldError[] {
  const { completionMode, completions, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (completionMode !== undefined && completionMode !== 'NonIndexed' && completionMode !== 'Indexed')
    return [notSupported(`${field}.completionMode`, completionMode, ['NonIndexed', 'Indexed'])];
  if (completionMode !== 'Indexed') {
    return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((name) =>
      spec[name] === undefined
        ? []
        : [invalid(`${field}.${name}`, spec[name], 'requires indexed completion mode')],
    );
  }
  const errors: FieldError[] =
    completions === undefined ? [required(`${field}.completions`, 'when completion mode is Indexed')] : [];
  const limit = (name: 'parallelism' | 'maxFailedIndexes', maximum: number, when: string): void => {
    if ((spec[name] ?? 0) > maximum)
      errors.push(invalid(`${field}.${name}`, spec[name], `must be less than or equal to ${maximum}${when}`));
  };
  limit('parallelism', MAXIMUM_INDEXED_PARALLELISM, ' when completion mode is Indexed');
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions)
    errors.push(
      invalid(`${field}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'),
    );
  limit('maxFailedIndexes', MAXIMUM_FAILED_INDEXES, '');
  if (backoffLimitPerIndex === undefined || completions === undefined || completions <= MANY_COMPLETIONS)
    return errors;
  const when = ` when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined)
    errors.push(
      required(
        `${field}.maxFailedIndexes`,
        `must be specified when completions is above ${MANY_COMPLETIONS}`,
      ),
    );
  limit('parallelism', MAXIMUM_WITH_MANY_COMPLETIONS, when);
  limit('maxFailedIndexes', MAXIMUM_WITH_MANY_COMPLETIONS, when);
  return errors;
}

/** Go types of members that are structures. */
const POLICY_TYPES: Readonly<Record<string, string>> = {
  podFailurePolicy: 'batch.PodFailurePolicy',
  successPolicy: 'batch.SuccessPolicy',
};

/** The releases that validate a changed job as a new one, too, and report errors of its specification twice. */
const VALIDATES_AS_NEW: Life = { until: '1.37' };

/** Validates an update. */
export function validateJobUpdate(job: Job, old: Job, context: PodValidationOptions): FieldError[] {
  const { spec = {} } = job;
  const { spec: oldSpec = {} } = old;
  const oldLabels = oldSpec.template?.metadata?.labels ?? {};
  const immutable = (
    name: 'completionMode' | 'podFailurePolicy' | 'backoffLimitPerIndex' | 'managedBy' | 'successPolicy',
  ): FieldError[] =>
    validateImmutable(
      spec[name],
      oldSpec[name],
      `spec.${name}`,
      internalTypes.type('batch_v1.JobSpec').byName.get(name)?.type.message,
      POLICY_TYPES[name],
    );
  const options = withOldTemplate(context, oldSpec.template);
  return [
    ...(context.has(VALIDATES_AS_NEW)
      ? // Old jobs only have labels without a domain.
        validateJob(job, options, {
          requiresPrefixedLabels: PREFIXED_LABELS.every((key) => Object.hasOwn(oldLabels, key)),
        })
      : validateHostnames(job)),
    ...validateSpec(spec, options),
    ...validateCompletions(spec, oldSpec),
    ...validateSelectorUnchanged(spec, oldSpec, context),
    ...validateJobTemplateUpdate(job, old, options),
    ...immutable('completionMode'),
    ...immutable('podFailurePolicy'),
    ...immutable('backoffLimitPerIndex'),
    ...immutable('managedBy'),
    ...immutable('successPolicy'),
  ];
}

function validateSelectorUnchanged(
  { selector }: JobSpec,
  { selector: oldSelector }: JobSpec,
  context: RuleContext,
): FieldError[] {
  if (semanticEqual(selector, oldSelector, internalTypes.type('meta_v1.LabelSelector'))) return [];
  return [invalidFormatted('spec.selector', formatLabelSelector(selector, context), IMMUTABLE)];
}

/** Validates completions: mutable only for an indexed job, together with parallelism. */
function validateCompletions(spec: JobSpec, oldSpec: JobSpec): FieldError[] {
  const { completions, parallelism } = spec;
  if (spec.completionMode !== 'Indexed')
    return validateImmutable(completions, oldSpec.completions, 'spec.completions');
  if (completions === oldSpec.completions || completions === undefined || completions === parallelism)
    return [];
  return [invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')];
}
