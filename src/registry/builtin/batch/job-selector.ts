import { type FieldError, required } from '../../../status/field-error.ts';
import { formatGoLabelSelector, formatGoStringMap, invalidFormatted } from '../../validation/format-value.ts';
import { isUsableSelector, selectorMatches } from '../../validation/labels.ts';
import type { Job } from './job-types.ts';

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
const JOB_NAME = 'batch.kubernetes.io/job-name';

const LEGACY_UID = 'controller-uid';
const LEGACY_NAME = 'job-name';
export const PREFIXED_LABELS = [CONTROLLER_UID, JOB_NAME];

export interface SelectorValidationOptions {
  /** The labels with a domain must be there; jobs of old have only those without. */
  readonly requiresPrefixedLabels: boolean;
}

export const NEW_JOB_OPTIONS: SelectorValidationOptions = { requiresPrefixedLabels: true };

/**
 * Labels that tie pods to their job, with and without the domain: the bare ones are older and still looked
 * for.
 */
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
 * Unless the author does it himself, pods get the job's labels, and the selector finds them. What is given
 * already stays: validation judges it. A job that took over its template's labels shares them, and gets the
 * new ones, too.
 */
export function generateSelector(job: Job): void {
  const { spec, metadata } = job;
  if (spec === undefined || spec.manualSelector === true) return;
  spec.template ??= {};
  const given = spec.template.metadata?.labels;
  const labels = { ...generatedLabels(job, NEW_JOB_OPTIONS), ...given };
  if (metadata !== undefined && given !== undefined && metadata.labels === given)
    metadata.labels = { ...labels };
  spec.template.metadata = { ...spec.template.metadata, labels };
  spec.selector = {
    ...spec.selector,
    matchLabels: { [CONTROLLER_UID]: metadata?.uid ?? '', ...spec.selector?.matchLabels },
  };
}

export function validateGeneratedSelector(job: Job, rules: SelectorValidationOptions): FieldError[] {
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
      errors.push(invalidFormatted(field, formatGoStringMap(labels), `must be '${value}'`));
  }
  if (isUsableSelector(selector) && !selectorMatches(selector, expected))
    errors.push(
      invalidFormatted('spec.selector', formatGoLabelSelector(selector), '`selector` not auto-generated'),
    );
  return errors;
}
