import { type FieldError, forbidden } from '../../../../status/field-error.ts';
import { formatGoStringMap, invalidFormatted } from '../../../validation/format-value.ts';
import {
  type LabelSelector,
  selectorMatches,
  validateAnnotations,
  validateLabels,
} from '../../../validation/labels.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import type { PodTemplateSpec, PodValidationOptions } from './pod-types.ts';

export const TEMPLATE_MISMATCH = '`selector` does not match template `labels`';

/** Labels and annotations of a template; the errors' paths leave `metadata` out, as the reference does. */
function validateTemplateMetadata({ metadata, spec = {} }: PodTemplateSpec, field: string): FieldError[] {
  return [
    ...validateLabels(metadata?.labels, `${field}.labels`),
    ...validateAnnotations(metadata?.annotations, `${field}.annotations`),
    ...validatePodAnnotations(metadata?.annotations, spec, `${field}.annotations`),
  ];
}

export function validatePodTemplate(
  template: PodTemplateSpec,
  field: string,
  options: PodValidationOptions,
): FieldError[] {
  const { spec = {} } = template;
  return [
    ...validateTemplateMetadata(template, field),
    ...validatePodSpec(spec, `${field}.spec`, { allowPrivileged: options.allowPrivileged, isPod: false }),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

interface LabelledTemplate {
  readonly template: PodTemplateSpec;
  readonly selector: LabelSelector | undefined;
  /** An empty selector, refused elsewhere, asks nothing of the labels. */
  readonly anyLabels: boolean;
}

/** Whether the selector finds the template's pods. */
function validateTemplateLabels(
  { template, selector, anyLabels }: LabelledTemplate,
  field: string,
): FieldError[] {
  const labels = template.metadata?.labels;
  if (anyLabels || selectorMatches(selector, labels)) return [];
  return [invalidFormatted(`${field}.metadata.labels`, formatGoStringMap(labels), TEMPLATE_MISMATCH)];
}

/** A template whose pods the selector must find. */
export const validateLabelledTemplate = (
  labelled: LabelledTemplate,
  field: string,
  options: PodValidationOptions,
): FieldError[] => [
  ...validateTemplateLabels(labelled, field),
  ...validatePodTemplate(labelled.template, field, options),
];

/**
 * The template of a stateful set. Its pod specification is never checked here, because it mounts volumes that
 * come from claim templates; the pods are checked when they are created.
 */
export const validateStatefulTemplate = (labelled: LabelledTemplate, field: string): FieldError[] => [
  ...validateTemplateLabels(labelled, field),
  ...validateTemplateMetadata(labelled.template, field),
];
