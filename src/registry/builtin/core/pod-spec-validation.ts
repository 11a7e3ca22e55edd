import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { invalidTexts, validateOneOf, validateRange } from '../../validation/fields.ts';
import { validateLabels } from '../../validation/labels.ts';
import { dns1123Subdomain } from '../../validation/names.ts';
import { validateResourceRequirements } from '../../validation/resources.ts';
import { validateAffinity } from './affinity-validation.ts';
import { validateContainers } from './container-validation.ts';
import { validateOperatingSystem } from './operating-system-validation.ts';
import { validatePodNetwork } from './pod-network-validation.ts';
import type { PodSpec } from './pod-types.ts';
import type { SpecRules } from './rules.ts';
import { validateGates, validateTolerations, validateTopologySpread } from './scheduling-validation.ts';
import { validatePodSecurityContext } from './security-context-validation.ts';
import { validateVolumes } from './volume-validation.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];
const MAXIMUM_SECONDS = 2 ** 31 - 1;

/** A pod specification wherever it stands, with defaults applied. */
export function validatePodSpec(spec: PodSpec, field: string, rules: SpecRules): FieldError[] {
  const { errors, volumes } = validateVolumes(spec.volumes, `${field}.volumes`);
  const { activeDeadlineSeconds, restartPolicy, preemptionPolicy } = spec;
  const namedAfter = (name: 'serviceAccountName' | 'nodeName' | 'priorityClassName' | 'runtimeClassName'): FieldError[] => {
    const value = spec[name] ?? '';
    // A runtime class is named or absent; the others are absent when empty.
    return value === '' && (name !== 'runtimeClassName' || spec[name] === undefined) ? [] : invalidTexts(`${field}.${name}`, value, dns1123Subdomain(value));
  };
  return [
    ...errors,
    ...validateContainers(spec, volumes, field, rules),
    ...(restartPolicy ? validateOneOf(restartPolicy, RESTART_POLICIES, `${field}.restartPolicy`) : [required(`${field}.restartPolicy`)]),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurityContext(spec.securityContext, spec, `${field}.securityContext`),
    ...validateAffinity(spec.affinity, `${field}.affinity`),
    ...validatePodNetwork(spec, field),
    ...validateGates(spec, field),
    ...validateTopologySpread(spec.topologySpreadConstraints, `${field}.topologySpreadConstraints`),
    ...namedAfter('serviceAccountName'),
    ...namedAfter('nodeName'),
    ...(activeDeadlineSeconds === undefined ? [] : validateRange(activeDeadlineSeconds, 1, MAXIMUM_SECONDS, `${field}.activeDeadlineSeconds`)),
    ...validateTolerations(spec.tolerations, `${field}.tolerations`),
    ...namedAfter('priorityClassName'),
    ...namedAfter('runtimeClassName'),
    ...(preemptionPolicy === undefined
      ? []
      : preemptionPolicy === ''
        ? [required(`${field}.preemptionPolicy`)]
        : validateOneOf(preemptionPolicy, PREEMPTION_POLICIES, `${field}.preemptionPolicy`)),
    ...validateResourceRequirements({ limits: spec.overhead }, `${field}.overhead`),
    ...validateOperatingSystem(spec, field),
  ];
}

/** Left out of templates: their pods get an account when they are made. */
export function validateTokenVolumes(spec: PodSpec, field: string): FieldError[] {
  if (spec.serviceAccountName) return [];
  return (spec.volumes ?? []).flatMap(({ projected }, volume) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, source) =>
      serviceAccountToken === undefined
        ? []
        : [
            forbidden(
              `${field}.volumes[${volume}].projected.sources[${source}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ],
    ),
  );
}
