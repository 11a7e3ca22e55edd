import type { PodSpec, PodStatus } from '../../../model/generated/core-v1.ts';
import { dns1123Label, dns1123Subdomain } from '../../../model/name-syntax.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { invalidTexts } from '../../validation/fields.ts';

const NO_CONTAINER = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
const NO_EXTENDED_REQUEST =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';

/** Validates the claims that were made for `spec.resourceClaims`. */
export function validateClaimStatuses(
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
export function validateExtendedClaim(
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
