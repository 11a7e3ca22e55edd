import { type FieldError, required } from '../../../status/field-error.ts';
import { isUsableSelector, selectorMatches } from '../../validation/labels.ts';
import { invalidShown, shownLabelSelector, shownStringMap } from '../../validation/shown.ts';
import type { Job } from './job-types.ts';

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
const JOB_NAME = 'batch.kubernetes.io/job-name';

/** Labels that tie pods to their job, with and without the domain: the bare ones are older and still looked for. */
const generatedLabels = ({ metadata = {} }: Job): Record<string, string> => ({
  [CONTROLLER_UID]: metadata.uid ?? '',
  [JOB_NAME]: metadata.name ?? '',
  'controller-uid': metadata.uid ?? '',
  'job-name': metadata.name ?? '',
});

/** Unless the author does it himself, pods get the job's labels, and the selector finds them. What is given already stays: validation judges it. */
export function generateSelector(job: Job): void {
  const { spec } = job;
  if (spec === undefined || spec.manualSelector === true) return;
  spec.template ??= {};
  spec.template.metadata = { ...spec.template.metadata, labels: { ...generatedLabels(job), ...spec.template.metadata?.labels } };
  spec.selector = { ...spec.selector, matchLabels: { [CONTROLLER_UID]: job.metadata?.uid ?? '', ...spec.selector?.matchLabels } };
}

export function validateGeneratedSelector(job: Job): FieldError[] {
  const { selector, manualSelector, template } = job.spec ?? {};
  if (manualSelector === true || selector === undefined) return [];
  if (!job.metadata?.uid) return [required('metadata.uid')];
  const labels = template?.metadata?.labels;
  const expected = generatedLabels(job);
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    const field = `spec.template.metadata.labels[${key}]`;
    if (labels === undefined || !Object.hasOwn(labels, key)) return [required(field, `must be '${value}'`)];
    return labels[key] === value ? [] : [invalidShown(field, shownStringMap(labels), `must be '${value}'`)];
  });
  const ownLabels = { [CONTROLLER_UID]: expected[CONTROLLER_UID]!, [JOB_NAME]: expected[JOB_NAME]! };
  if (isUsableSelector(selector) && !selectorMatches(selector, ownLabels))
    errors.push(invalidShown('spec.selector', shownLabelSelector(selector), '`selector` not auto-generated'));
  return errors;
}
