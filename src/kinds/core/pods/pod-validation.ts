import type { Pod } from '../../../model/generated/core-v1.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { validatePodOnly, validatePodSpec } from './pod-spec-validation.ts';
import type { PodValidationOptions } from './pod-validation-options.ts';
import { validateProfileAnnotations } from './profile-annotations-validation.ts';

/** Validates the rules that apply at creation and on every update. @param old the pod before an update */
export function validatePodMetadataAndSpec(
  { metadata, spec = {} }: Pod,
  server: PodValidationOptions,
  old?: Pod,
): FieldError[] {
  return [
    ...validatePodAnnotations(metadata?.annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, 'spec', { ...server, isPod: true, old: old?.spec }, metadata),
    ...validatePodOnly(spec, 'spec'),
  ];
}

/** Validates a new pod. */
export function validatePod(pod: Pod, options: PodValidationOptions): FieldError[] {
  const { ephemeralContainers = [], nodeName = '', schedulingGates = [] } = pod.spec ?? {};
  return [
    ...validatePodMetadataAndSpec(pod, options),
    ...(ephemeralContainers.length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(nodeName !== '' && schedulingGates.length > 0
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateProfileAnnotations(pod.metadata?.annotations, pod.spec ?? {}),
  ];
}
