import type { PodTemplateSpec } from '../../../model/generated/core-v1.ts';
import type { LabelSelector } from '../../../model/generated/meta-v1.ts';
import { labelSelectorMatches } from '../../../model/object-label-selector.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden, invalidFormatted } from '../../../status/field-error.ts';
import { once } from '../../../steps/replay.ts';
import { formatStringMap } from '../../validation/format-value.ts';
import { validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import type { PodValidationOptions } from './pod-validation-options.ts';
import { validateProfileAnnotations } from './profile-annotations-validation.ts';

/** Error message for a selector that does not match the template. */
export const TEMPLATE_MISMATCH = '`selector` does not match template `labels`';

/** Validates labels and annotations of a template; kube-apiserver omits `metadata` in these paths. */
function validateTemplateMetadata({ metadata, spec = {} }: PodTemplateSpec, field: string): FieldError[] {
  return [
    ...validateLabels(metadata?.labels, `${field}.labels`),
    ...validateAnnotations(metadata?.annotations, `${field}.annotations`),
    ...validatePodAnnotations(metadata?.annotations, spec, `${field}.annotations`),
  ];
}

/** Validates a pod template. */
export function validatePodTemplate(
  template: PodTemplateSpec,
  field: string,
  options: PodValidationOptions,
): FieldError[] {
  const { spec = {} } = template;
  return [
    ...validateTemplateMetadata(template, field),
    ...validatePodSpec(spec, `${field}.spec`, { ...options, isPod: false }),
    ...validateProfileAnnotations(template.metadata?.annotations, spec, `${field}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

interface LabelledTemplate {
  readonly template: PodTemplateSpec;
  readonly selector: LabelSelector | undefined;
  /** Skips the label check; set for an empty selector, which is rejected elsewhere. */
  readonly anyLabels: boolean;
}

/** Validates that the selector matches the template's labels. */
function validateTemplateLabels(
  { template, selector, anyLabels }: LabelledTemplate,
  field: string,
  context: RuleContext,
): FieldError[] {
  const labels = template.metadata?.labels;
  const match = { place: `labels of ${field}`, cost: Object.keys(labels ?? {}).length };
  if (anyLabels || once(template, match, () => labelSelectorMatches(selector, labels))) return [];
  return [invalidFormatted(`${field}.metadata.labels`, formatStringMap(labels, context), TEMPLATE_MISMATCH)];
}

/** Validates a template whose labels the selector must match. */
export const validateLabelledTemplate = (
  labelled: LabelledTemplate,
  field: string,
  options: PodValidationOptions,
): FieldError[] => [
  ...validateTemplateLabels(labelled, field, options),
  ...validatePodTemplate(labelled.template, field, options),
];

/** Validates the template of a stateful set. @param validatePods validates the pods that the set makes of it */
export const validateStatefulTemplate = (
  labelled: LabelledTemplate,
  field: string,
  context: RuleContext,
  validatePods: () => FieldError[],
): FieldError[] => [
  ...validateTemplateLabels(labelled, field, context),
  ...validatePods(),
  ...validateTemplateMetadata(labelled.template, field),
];
