import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { type LabelSelector, selectorMatches, validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { invalidShown, shownStringMap } from '../../validation/shown.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import type { PodTemplateSpec } from './pod-types.ts';
import type { PodRules } from './rules.ts';

export const TEMPLATE_MISMATCH = '`selector` does not match template `labels`';

export function validatePodTemplate({ metadata, spec = {} }: PodTemplateSpec, field: string, rules: PodRules): FieldError[] {
  return [
    ...validateLabels(metadata?.labels, `${field}.labels`),
    ...validateAnnotations(metadata?.annotations, `${field}.annotations`),
    ...validatePodAnnotations(metadata?.annotations, spec, `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`, { allowPrivileged: rules.allowPrivileged, isPod: false }),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

/**
 * A template whose pods the selector must find.
 * @param anyLabels an empty selector, refused elsewhere, asks nothing of the labels
 */
export function validateLabelledTemplate(
  template: PodTemplateSpec,
  selector: LabelSelector | undefined,
  field: string,
  rules: PodRules,
  { anyLabels = false } = {},
): FieldError[] {
  const labels = template.metadata?.labels;
  const isFound = anyLabels || selectorMatches(selector, labels);
  return [
    ...(isFound ? [] : [invalidShown(`${field}.metadata.labels`, shownStringMap(labels), TEMPLATE_MISMATCH)]),
    ...validatePodTemplate(template, field, rules),
  ];
}
