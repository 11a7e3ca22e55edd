import type { Job } from '../../model/generated/batch-v1.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalidFormatted, required } from '../../status/field-error.ts';
import { formatLabelSelector, formatStringMap } from '../validation/format-value.ts';
import { isUsableSelector } from '../validation/labels.ts';

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
const JOB_NAME = 'batch.kubernetes.io/job-name';

const LEGACY_UID = 'controller-uid';
const LEGACY_NAME = 'job-name';
/** Keys of the generated labels with a domain. */
export const PREFIXED_LABELS = [CONTROLLER_UID, JOB_NAME];

/** Options of {@link validateGeneratedSelector}. */
export interface SelectorValidationOptions {
  /** Whether the labels with a domain are required; old jobs only have those without. */
  readonly requiresPrefixedLabels: boolean;
}

/** Options for a new job. */
export const NEW_JOB_OPTIONS: SelectorValidationOptions = { requiresPrefixedLabels: true };

/** Returns the generated labels that identify a job's pods; the ones without a domain are legacy. */
const generatedLabels = (
  { metadata = {} }: Job,
  { requiresPrefixedLabels }: SelectorValidationOptions,
): Record<string, string> => ({
  [LEGACY_UID]: metadata.uid ?? '',
  [LEGACY_NAME]: metadata.name ?? '',
  ...(requiresPrefixedLabels
    ? { [CONTROLLER_UID]: metadata.uid ?? '', [JOB_NAME]: metadata.name ?? '' }
    : {}),
});

/**
 * Generates the template labels and the selector, unless `manualSelector` is set. Existing values are kept
 * and validated later. When the job shares the template's labels, it gets the generated labels too.
 */
export function generateSelector(job: Job): void {
  const { spec, metadata } = job;
  if (spec === undefined || spec.manualSelector === true) return;
  spec.template ??= {};
  const templateLabels = spec.template.metadata?.labels;
  const labels = { ...generatedLabels(job, NEW_JOB_OPTIONS), ...templateLabels };
  if (metadata !== undefined && templateLabels !== undefined && metadata.labels === templateLabels)
    metadata.labels = { ...labels };
  spec.template.metadata = { ...spec.template.metadata, labels };
  spec.selector = {
    ...spec.selector,
    matchLabels: { [CONTROLLER_UID]: metadata?.uid ?? '', ...spec.selector?.matchLabels },
  };
}

/** Validates the generated selector and template labels, unless `manualSelector` is set. */
export function validateGeneratedSelector(
  job: Job,
  rules: SelectorValidationOptions,
  context: RuleContext,
): FieldError[] {
  const { selector, manualSelector, template } = job.spec ?? {};
  if (manualSelector === true || selector === undefined) return [];
  const labels = template?.metadata?.labels;
  const expected = generatedLabels(job, rules);
  const errors: FieldError[] = job.metadata?.uid ? [] : [required('metadata.uid')];
  for (const [key, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (labels === undefined || !Object.hasOwn(labels, key))
      errors.push(required(field, `must be '${value}'`));
    else if (labels[key] !== value)
      errors.push(invalidFormatted(field, formatStringMap(labels, context), `must be '${value}'`));
  }
  if (isUsableSelector(selector) && !labelSelectorMatches(selector, expected))
    errors.push(
      invalidFormatted(
        'spec.selector',
        formatLabelSelector(selector, context),
        '`selector` not auto-generated',
      ),
    );
  return errors;
}
