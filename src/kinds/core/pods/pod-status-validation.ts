import type { Pod, PodStatus } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { dns1123Subdomain, qualifiedName } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { forbiddenIf, invalidTexts, validateImmutable } from '../../validation/fields.ts';
import { CLEARS_NOMINATION } from './binding.ts';
import { validateClaimStatuses, validateExtendedClaim } from './claim-statuses-validation.ts';
import {
  validateRestarts,
  validateTransitions,
  withoutSidecars,
} from './container-transitions-validation.ts';
import { validateUsers } from './container-users-validation.ts';
import { validateHealth } from './device-health-validation.ts';
import { CONTAINER_RESTART_RULES } from './drop-disabled-fields.ts';
import { validateHostIps, validatePodIps } from './pod-addresses-validation.ts';
import { validatePodAnnotationsUpdate } from './pod-annotations-validation.ts';

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

/** Validates a status update; a container that terminated for good must not run again. */
export function validatePodStatusUpdate(pod: Pod, old: Pod, context: RuleContext): FieldError[] {
  const { status = {}, spec = {}, metadata } = pod;
  const { status: oldStatus = {}, spec: oldSpec = {} } = old;
  const { restartPolicy } = oldSpec;
  return [
    ...validatePodAnnotationsUpdate(
      { annotations: metadata?.annotations, old: old.metadata?.annotations, spec },
      'metadata.annotations',
    ),
    ...validateConditions(
      status,
      context.has(PLACES_IN_METADATA) ? 'metadata.conditions' : 'status.conditions',
    ),
    ...validateNominatedNode(status, old, context),
    ...validateObservedGeneration(status, 'status'),
    ...validateImmutable(status.qosClass, oldStatus.qosClass, 'status.qosClass'),
    ...(context.isOn(CONTAINER_RESTART_RULES)
      ? validateRestarts(status.containerStatuses, oldStatus.containerStatuses, oldSpec)
      : validateTransitions(
          status.containerStatuses,
          oldStatus.containerStatuses,
          'status.containerStatuses',
          restartPolicy,
        )),
    ...validateTransitions(
      status.initContainerStatuses,
      withoutSidecars(oldStatus.initContainerStatuses, oldSpec),
      'status.initContainerStatuses',
      restartPolicy,
    ),
    ...validateTransitions(
      status.ephemeralContainerStatuses,
      oldStatus.ephemeralContainerStatuses,
      'status.ephemeralContainerStatuses',
      'Never',
    ),
    ...validateClaimStatuses(status, spec),
    ...validateExtendedClaim(status, spec, 'status.extendedResourceClaimStatus'),
    ...validatePodIps(status, oldStatus, context),
    ...validateHostIps(status, oldStatus, context),
    ...(['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const).flatMap(
      (name) => validateUsers(status[name], spec, `status.${name}`, context),
    ),
    ...validateHealth(status.containerStatuses, spec.containers, 'status.containerStatuses'),
    ...validateHealth(status.initContainerStatuses, spec.initContainers, 'status.initContainerStatuses'),
    ...checkEach(
      status.ephemeralContainerStatuses ?? [],
      { place: 'allocated resources' },
      ({ allocatedResourcesStatus = [] }, index) =>
        allocatedResourcesStatus.length === 0
          ? []
          : [
              forbidden(
                `status.ephemeralContainerStatuses[${index}].allocatedResourcesStatus`,
                'must not be specified in container status',
              ),
            ],
    ),
  ];
}

/** The releases that report conditions below `metadata`. */
const PLACES_IN_METADATA: Life = { until: '1.33' };

const validateConditions = ({ conditions = [] }: PodStatus, field: string): FieldError[] =>
  checkEach(conditions, { place: field, cost: 2 }, (condition, index) => {
    const { type = '' } = condition;
    return [
      ...validateObservedGeneration(condition, `${field}[${index}]`),
      ...(SYSTEM_CONDITIONS.includes(type)
        ? []
        : invalidTexts(`${field}[${index}].Type`, type, qualifiedName(type))),
    ];
  });

const validateObservedGeneration = (
  { observedGeneration: generation }: { observedGeneration?: number | bigint },
  field: string,
): FieldError[] =>
  generation !== undefined && generation < 0
    ? [invalid(`${field}.observedGeneration`, generation, 'must be a non-negative integer')]
    : [];

function validateNominatedNode(
  { nominatedNodeName: name = '' }: PodStatus,
  { spec, status: { nominatedNodeName: old = '' } = {} }: Pod,
  { isOn }: RuleContext,
): FieldError[] {
  if (name === '' || name === old) return [];
  const field = 'status.nominatedNodeName';
  return [
    ...invalidTexts(field, name, dns1123Subdomain(name)),
    ...forbiddenIf(
      isOn(CLEARS_NOMINATION) && Boolean(spec?.nodeName),
      field,
      'may not be set on pods that are already bound to a node',
    ),
  ];
}
