import type { Pod, PodSpec } from '../../../model/generated/core-v1.ts';
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
import { validateFileVariables } from './environment-validation.ts';
import { validateOperatingSystem } from './operating-system-validation.ts';
import { POD_LEVEL_RESOURCES, validatePodLevelResources } from './pod-level-resources.ts';
import {
  validateDnsConfig,
  validateDnsPolicy,
  validateHostAliases,
  validateHostname,
  validateHostnameOverride,
} from './pod-network-validation.ts';
import type { PodSpecValidationOptions } from './pod-validation-options.ts';
import { validatePodClaims } from './resource-claims-validation.ts';
import { validateGates, validateTolerations, validateTopologySpread } from './scheduling-validation.ts';
import { validatePodSecurityContext } from './security-context-validation.ts';
import { validateHostUsers } from './user-namespaces-validation.ts';
import { validateHostProcesses } from './windows-options-validation.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];
const MAXIMUM_SECONDS = 2 ** 31 - 1;

/**
 * Validates a defaulted pod specification of a pod or template.
 * @param metadata of the pod: names of ephemeral claims are derived from its name; absent for a template
 */
export function validatePodSpec(
  spec: PodSpec,
  field: string,
  options: PodSpecValidationOptions,
  metadata?: Pod['metadata'],
): FieldError[] {
  const { errors, volumes } = validateVolumes(
    spec.volumes,
    `${field}.volumes`,
    metadata?.name ?? '',
    options,
  );
  const { restartPolicy } = spec;
  return [
    ...errors,
    ...validatePodClaims(spec.resourceClaims, `${field}.resourceClaims`, metadata?.annotations),
    ...validateContainers(spec, volumes, field, options),
    ...(options.isOn(POD_LEVEL_RESOURCES)
      ? validatePodLevelResources(spec, `${field}.resources`, options)
      : []),
    ...validateHostNetworkPorts(spec, field, options),
    ...(restartPolicy
      ? validateOneOf(restartPolicy, RESTART_POLICIES, `${field}.restartPolicy`)
      : [required(`${field}.restartPolicy`)]),
    ...validateDnsPolicy(spec, field),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${field}.securityContext`, options),
    ...validateAffinity(spec.affinity, `${field}.affinity`, options),
    ...validateDnsConfig(spec, `${field}.dnsConfig`, options),
    ...validateGates(spec, field),
    ...validateTopologySpread(spec, `${field}.topologySpreadConstraints`, options),
    ...validateHostProcesses(spec, field, options),
    ...validateHostUsers(spec, field, options),
    ...validateHostnameOverride(spec, `${field}.hostnameOverride`),
    ...validateReferences(spec, ['serviceAccountName', 'nodeName'], field),
    ...validateDeadline(spec, `${field}.activeDeadlineSeconds`),
    ...validateHostname(spec, field),
    ...validateTolerations(spec.tolerations, `${field}.tolerations`),
    ...validateHostAliases(spec.hostAliases, `${field}.hostAliases`, options),
    ...validateReferences(spec, ['priorityClassName', 'runtimeClassName'], field),
    ...validatePreemptionPolicy(spec, `${field}.preemptionPolicy`),
    ...validateResourceRequirements({ limits: spec.overhead }, `${field}.overhead`),
    ...validateOperatingSystem(spec, field, options),
    ...validateFileVariables(spec, field),
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
