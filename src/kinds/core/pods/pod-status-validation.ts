import type {
  Container,
  ContainerStatus,
  Pod,
  PodSpec,
  PodStatus,
} from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  duplicate,
  duplicateFormatted,
  type FieldError,
  forbidden,
  internal,
  invalid,
  invalidFormatted,
  isValid,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../../steps/replay.ts';
import { validateIp, validateLegacyIp } from '../../validation/addresses.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { forbiddenIf, invalidTexts, validateImmutable, validateRange } from '../../validation/fields.ts';
import { formatGoList, formatGoStruct, formatGoText } from '../../validation/format-struct.ts';
import { CLEARS_NOMINATION } from './binding.ts';
import { CONTAINER_RESTART_RULES } from './drop-disabled-fields.ts';
import { validatePodAnnotationsUpdate } from './pod-annotations-validation.ts';
import { isRestarted } from './restart-rules-validation.ts';

const NO_RESTART = 'may not be transitioned to non-terminated state';
const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];
const NO_CONTAINER = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
const NO_EXTENDED_REQUEST =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const MAXIMUM_ID = 2 ** 31 - 1;

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

/** {@link validateTransitions} of containers that are restarted by rules of their own. */
const validateRestarts = (
  statuses: readonly ContainerStatus[] = [],
  oldStatuses: readonly ContainerStatus[] = [],
  spec: PodSpec,
): FieldError[] =>
  oldStatuses.flatMap(({ name, state }, index) => {
    const status = statuses.find((one) => one.name === name);
    if (state?.terminated === undefined || status === undefined || status.state?.terminated !== undefined)
      return [];
    const container = spec.containers?.find((one) => one.name === name);
    const isAllowed = container !== undefined && isRestarted(container, spec, state.terminated.exitCode ?? 0);
    return isAllowed ? [] : [forbidden(`status.containerStatuses[${index}].state`, NO_RESTART)];
  });

function validateTransitions(
  statuses: readonly ContainerStatus[] = [],
  oldStatuses: readonly (ContainerStatus | undefined)[] = [],
  field: string,
  restartPolicy: string | undefined,
): FieldError[] {
  if (restartPolicy === 'Always') return [];
  const running = new Set(
    statuses.filter(({ state }) => state?.terminated === undefined).map(({ name = '' }) => name),
  );
  return oldStatuses.flatMap((old, index) => {
    const terminated = old?.state?.terminated;
    if (terminated === undefined || ((terminated.exitCode ?? 0) !== 0 && restartPolicy === 'OnFailure'))
      return [];
    return running.has(old?.name ?? '') ? [forbidden(`${field}[${index}].state`, NO_RESTART)] : [];
  });
}

/** Blanks the statuses of sidecars, which may restart; the indexes of the others are unchanged. */
function withoutSidecars(
  statuses: readonly ContainerStatus[] = [],
  { initContainers = [] }: PodSpec,
): (ContainerStatus | undefined)[] {
  const sidecars = new Set(
    initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  return statuses.map((status) => (sidecars.has(status.name) ? undefined : status));
}

function validateClaimStatuses(
  { resourceClaimStatuses = [] }: PodStatus,
  { resourceClaims = [] }: PodSpec,
): FieldError[] {
  const known = new Set(resourceClaims.map(({ name = '' }) => name));
  const repeated = findDuplicates(resourceClaimStatuses, ({ name = '' }) => name);
  return checkEach(resourceClaimStatuses, { place: 'claims' }, ({ name = '', resourceClaimName }, index) => {
    const field = `status.resourceClaimStatuses[${index}].name`;
    const errors: FieldError[] = known.has(name)
      ? []
      : [invalid(field, name, 'must match the name of an entry in `spec.resourceClaims`')];
    if (repeated.has(index)) errors.push(duplicate(field, name));
    if (resourceClaimName !== undefined)
      errors.push(...invalidTexts(field, resourceClaimName, dns1123Subdomain(resourceClaimName)));
    return errors;
  });
}

/** Validates the claim that was made for the extended resources of the containers. */
function validateExtendedClaim(
  { extendedResourceClaimStatus: claim }: PodStatus,
  { initContainers = [], containers = [] }: PodSpec,
  field: string,
): FieldError[] {
  if (claim === undefined) return [];
  const { requestMappings: mappings = [], resourceClaimName: claimName = '' } = claim;
  const byName = new Map(
    [...initContainers, ...containers].map((container) => [container.name ?? '', container]),
  );
  const seen = new Set<string>();
  return [
    ...(mappings.length === 0
      ? [required(`${field}.requestMappings`, 'at least one request mapping is required')]
      : []),
    ...mappings.flatMap(({ containerName = '', resourceName = '', requestName = '' }, index) => {
      const path = `${field}.requestMappings[${index}]`;
      const requests = byName.get(containerName)?.resources?.requests ?? {};
      const errors: FieldError[] = [];
      if (!byName.has(containerName))
        errors.push(invalid(`${path}.containerName`, containerName, NO_CONTAINER));
      else if (!Object.hasOwn(requests, resourceName))
        errors.push(invalid(`${path}.resourceName`, resourceName, NO_EXTENDED_REQUEST));
      errors.push(...invalidTexts(`${field}.requestName`, requestName, dns1123Label(requestName)));
      const key = `${containerName}/${resourceName}`;
      if (seen.has(key))
        errors.push(
          duplicate(`${path}.containerName`, containerName),
          duplicate(`${path}.resourceName`, resourceName),
        );
      seen.add(key);
      return errors;
    }),
    ...(claimName === ''
      ? [required(`${field}.resourceClaimName`)]
      : invalidTexts(`${field}.resourceClaimName`, claimName, dns1123Subdomain(claimName))),
  ];
}

type Address = { readonly ip?: string };

const ONE_PER_FAMILY = 'may specify no more than one IP for each IP family';

const formatAddress = (kind: string, { ip }: Address): string =>
  formatGoStruct(`core.${kind}`, { IP: formatGoText(ip) });

/** The releases that report addresses twice, also because they are of one family. */
const REPORTS_REPEATED: Life = { until: '1.33' };

const validateAddresses = (
  addresses: readonly Address[],
  old: readonly Address[] = [],
  field: string,
  context: RuleContext,
): FieldError[] => {
  const stored = old.map(({ ip = '' }) => ip);
  return addresses.flatMap(({ ip = '' }, index) =>
    validateLegacyIp(ip, `${field}[${index}]`, context, stored),
  );
};

function validatePodIps(
  { podIPs: addresses = [] }: PodStatus,
  old: PodStatus,
  context: RuleContext,
): FieldError[] {
  const field = 'status.podIPs';
  return [
    ...validateAddresses(addresses, old.podIPs, field, context),
    ...validateFamilies(addresses, 'PodIP', field),
    ...(context.has(REPORTS_REPEATED) ? validateRepeated(addresses, 'PodIP', field) : []),
  ];
}

function validateHostIps(
  { hostIP = '', hostIPs = [] }: PodStatus,
  old: PodStatus,
  context: RuleContext,
): FieldError[] {
  const field = 'status.hostIPs';
  const first = hostIPs[0]?.ip ?? '';
  if (hostIPs.length === 0) return [];
  return [
    ...(first === hostIP ? [] : [invalid(`${field}[0].ip`, first, 'must be equal to `hostIP`')]),
    ...validateAddresses(hostIPs, old.hostIPs, field, context),
    ...(context.has(REPORTS_REPEATED) ? validateRepeated(hostIPs, 'HostIP', field) : []),
    ...validateFamilies(hostIPs, 'HostIP', field),
  ];
}

/** Validates that there is at most one address per family. */
function validateFamilies(addresses: readonly Address[], kind: string, field: string): FieldError[] {
  if (addresses.length < 2) return [];
  const valid = resultsOfEach(addresses, { place: 'valid', cost: 2 }, ({ ip = '' }) =>
    isValid(() => validateIp(ip, field)),
  );
  const invalidIndex = valid.indexOf(false);
  const families = new Set(addresses.map(({ ip = '' }) => ip.includes(':')));
  const errors: FieldError[] =
    invalidIndex < 0
      ? []
      : [
          internal(
            field,
            `failed to check for dual stack with error:invalid IP[${invalidIndex}]: ${addresses[invalidIndex]?.ip ?? ''}`,
          ),
        ];
  if (invalidIndex >= 0 || families.size < 2 || addresses.length > 2)
    errors.push(
      invalidFormatted(
        field,
        formatGoList(`core.${kind}`, addresses, (address) => formatAddress(kind, address)),
        ONE_PER_FAMILY,
      ),
    );
  return errors;
}

function validateRepeated(addresses: readonly Address[], kind: string, field: string): FieldError[] {
  const repeated = findDuplicates(addresses, ({ ip = '' }) => ip);
  return checkEach(addresses, { place: `duplicates in ${field}` }, (address, index) =>
    repeated.has(index) ? [duplicateFormatted(`${field}[${index}]`, formatAddress(kind, address))] : [],
  );
}

/** The releases whose paths lack the user. */
const OMITS_USER: Life = { until: '1.33' };

/** Validates the user of the containers' processes. */
function validateUsers(
  statuses: readonly ContainerStatus[] = [],
  { os }: PodSpec,
  field: string,
  { has }: RuleContext,
): FieldError[] {
  return checkEach(statuses, { place: `users of ${field}` }, ({ user }, index) => {
    const linux = user?.linux;
    const path = has(OMITS_USER) ? `${field}[${index}].linux` : `${field}[${index}].user.linux`;
    if (linux === undefined) return [];
    if (os?.name === 'windows') return [forbidden(path, 'cannot be set for a windows pod')];
    const { uid = 0, gid = 0, supplementalGroups = [] } = linux;
    return [
      ...validateRange(uid, 0, MAXIMUM_ID, `${path}.uid`),
      ...validateRange(gid, 0, MAXIMUM_ID, `${path}.gid`),
      ...checkEach(supplementalGroups, { place: path }, (group, groupIndex) =>
        validateRange(group, 0, MAXIMUM_ID, `${path}.supplementalGroups[${groupIndex}]`),
      ),
    ];
  });
}

const NO_REQUEST = "must match one of the container's resource requests";
const NO_CLAIM =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";

/**
 * Validates device health: each entry must belong to a requested resource. Unknown containers are ignored.
 */
function validateHealth(
  statuses: readonly ContainerStatus[] = [],
  containers: readonly Container[] = [],
  field: string,
): FieldError[] {
  const byName = new Map([...containers].reverse().map((container) => [container.name ?? '', container]));
  const place = { place: `health of ${field}` };
  return checkEach(statuses, place, ({ name: containerName = '', allocatedResourcesStatus = [] }, index) => {
    const { resources = {} } = byName.get(containerName) ?? {};
    const claims = new Set(
      (resources.claims ?? []).map(
        ({ name = '', request = '' }) => `claim:${name}${request === '' ? '' : `/${request}`}`,
      ),
    );
    return checkEach(
      allocatedResourcesStatus,
      place,
      ({ name = '', resources: devices = [] }, resourceIndex) => {
        const path = `${field}[${index}].allocatedResourcesStatus[${resourceIndex}]`;
        const isClaim = name.startsWith('claim:');
        const isKnown = isClaim ? claims.has(name) : Object.hasOwn(resources.requests ?? {}, name);
        return [
          // kube-apiserver formats resource names without quotes.
          ...(isKnown || !byName.has(containerName)
            ? []
            : [invalidFormatted(`${path}.name`, `${name}`, isClaim ? NO_CLAIM : NO_REQUEST)]),
          ...validateDevices(devices, `${path}.resources`),
        ];
      },
    );
  });
}

function validateDevices(
  devices: readonly { health?: string; resourceID?: string }[],
  field: string,
): FieldError[] {
  const repeated = findDuplicates(devices, ({ resourceID = '' }) => resourceID);
  return checkEach(devices, { place: field }, ({ health = '', resourceID = '' }, index) => {
    const errors: FieldError[] = HEALTH.includes(health)
      ? []
      : [notSupported(`${field}[${index}].health`, health, HEALTH)];
    if (repeated.has(index)) errors.push(duplicate(`${field}[${index}].resourceID`, resourceID));
    return errors;
  });
}
