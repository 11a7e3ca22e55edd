import type { PodSpec } from '../../../model/generated/core-v1.ts';
import { dns1123Subdomain } from '../../../model/name-syntax.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { invalidTexts, validateOneOf, validateRange } from '../../validation/fields.ts';
import { validateLabels } from '../../validation/labels.ts';
import { validateResourceRequirements } from '../../validation/resources.ts';
import { validateVolumes } from '../volumes/volume-validation.ts';
import { validateAffinity } from './affinity-validation.ts';
import {
  validateContainers,
  validateHostNetworkPorts,
  validateImageWhitespace,
} from './container-validation.ts';
import { validateOperatingSystem } from './operating-system-validation.ts';
import {
  validateDnsConfig,
  validateDnsPolicy,
  validateHostAliases,
  validateHostname,
} from './pod-network-validation.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';
import { validateGates, validateTolerations, validateTopologySpread } from './scheduling-validation.ts';
import { validatePodSecurityContext } from './security-context-validation.ts';
import { validateHostProcesses } from './windows-options-validation.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];
const MAXIMUM_SECONDS = 2 ** 31 - 1;

/**
 * Validates a defaulted pod specification of a pod or template.
 * @param podName the pod's name, from which names of ephemeral claims are derived; empty in a template
 */
export function validatePodSpec(
  spec: PodSpec,
  field: string,
  options: PodSpecValidationOptions,
  podName = '',
): FieldError[] {
  const { errors, volumes } = validateVolumes(spec.volumes, `${field}.volumes`, podName);
  const { restartPolicy } = spec;
  return [
    ...errors,
    ...validateContainers(spec, volumes, field, options),
    ...validateHostNetworkPorts(spec, field, options),
    ...(restartPolicy
      ? validateOneOf(restartPolicy, RESTART_POLICIES, `${field}.restartPolicy`)
      : [required(`${field}.restartPolicy`)]),
    ...validateDnsPolicy(spec, field),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurityContext(spec.securityContext, spec, `${field}.securityContext`),
    ...validateAffinity(spec.affinity, `${field}.affinity`),
    ...validateDnsConfig(spec, `${field}.dnsConfig`),
    ...validateGates(spec, field),
    ...validateTopologySpread(spec.topologySpreadConstraints, `${field}.topologySpreadConstraints`),
    ...validateHostProcesses(spec, field, options),
    ...validateReferences(spec, ['serviceAccountName', 'nodeName'], field),
    ...validateDeadline(spec, `${field}.activeDeadlineSeconds`),
    ...validateHostname(spec, field),
    ...validateTolerations(spec.tolerations, `${field}.tolerations`),
    ...validateHostAliases(spec.hostAliases, `${field}.hostAliases`),
    ...validateReferences(spec, ['priorityClassName', 'runtimeClassName'], field),
    ...validatePreemptionPolicy(spec, `${field}.preemptionPolicy`),
    ...validateResourceRequirements({ limits: spec.overhead }, `${field}.overhead`),
    ...validateOperatingSystem(spec, field),
  ];
}

const NAMED = ['serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName'] as const;

/** Validates names of other objects. Empty names count as absent, except `runtimeClassName`. */
function validateReferences(
  spec: PodSpec,
  names: readonly (typeof NAMED)[number][],
  field: string,
): FieldError[] {
  return names.flatMap((name) => {
    const value = spec[name] ?? '';
    const isAbsent = name === 'runtimeClassName' ? spec[name] === undefined : value === '';
    return isAbsent ? [] : invalidTexts(`${field}.${name}`, value, dns1123Subdomain(value));
  });
}

const validateDeadline = ({ activeDeadlineSeconds }: PodSpec, field: string): FieldError[] =>
  activeDeadlineSeconds === undefined ? [] : validateRange(activeDeadlineSeconds, 1, MAXIMUM_SECONDS, field);

function validatePreemptionPolicy({ preemptionPolicy }: PodSpec, field: string): FieldError[] {
  if (preemptionPolicy === undefined) return [];
  return preemptionPolicy === ''
    ? [required(field)]
    : validateOneOf(preemptionPolicy, PREEMPTION_POLICIES, field);
}

/** Validates the rules that apply to pods but not to templates. */
export function validatePodOnly(spec: PodSpec, field: string): FieldError[] {
  return [
    ...validateTokenVolumes(spec, field),
    ...(['containers', 'initContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, index) =>
        validateImageWhitespace(container, `${field}.${list}[${index}]`),
      ),
    ),
  ];
}

function validateTokenVolumes(spec: PodSpec, field: string): FieldError[] {
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
