import { type FieldError, forbidden } from '../../../../status/field-error.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { validatePodOnly, validatePodSpec } from './pod-spec-validation.ts';
import type { Pod } from './pod-types.ts';
import { validateProfileAnnotations } from './profile-annotations-validation.ts';
import type { PodRules } from './rules.ts';

/** What holds for a pod at any time. */
export function validatePodAlways({ metadata, spec = {} }: Pod, { allowPrivileged }: PodRules): FieldError[] {
  return [
    ...validatePodAnnotations(metadata?.annotations, spec, 'metadata.annotations'),
    ...validatePodSpec(spec, 'spec', { allowPrivileged, isPod: true }, metadata?.name),
    ...validatePodOnly(spec, 'spec'),
  ];
}

/** A new pod. */
export function validatePod(pod: Pod, rules: PodRules): FieldError[] {
  const { ephemeralContainers = [], nodeName = '', schedulingGates = [] } = pod.spec ?? {};
  return [
    ...validatePodAlways(pod, rules),
    ...(ephemeralContainers.length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(nodeName !== '' && schedulingGates.length > 0
      ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
    ...validateProfileAnnotations(pod.metadata?.annotations, pod.spec ?? {}),
  ];
}
