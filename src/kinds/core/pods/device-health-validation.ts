import type { Container, ContainerStatus } from '../../../model/generated/core-v1.ts';
import { duplicate, type FieldError, invalidFormatted, notSupported } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { findDuplicates } from '../../validation/duplicates.ts';

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const NO_REQUEST = "must match one of the container's resource requests";
const NO_CLAIM =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";

/**
 * Validates device health: each entry must belong to a requested resource. Unknown containers are ignored.
 */
export function validateHealth(
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
