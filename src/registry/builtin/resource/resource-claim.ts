import type { ResourceClaim, ResourceClaimTemplate } from '../../../model/generated/resource-v1beta1.ts';
import { duplicate, type FieldError, forbidden, invalid, required, tooMany } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { IMMUTABLE } from '../../validation/fields.ts';
import { validateAnnotations, validateLabels } from '../../validation/labels.ts';
import { repetitions } from '../../validation/repetitions.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import { setDeviceClaimDefaults, validateDeviceClaim } from './device-requests.ts';

const MOST_CONSUMERS = 256;

const validateSpec = (object: ResourceClaim): FieldError[] => validateDeviceClaim(object.spec?.devices ?? {}, 'spec.devices');

const validateSpecUpdate = (object: { spec?: object }, old: { spec?: object }): FieldError[] =>
  semanticEqual(object.spec, old.spec) ? [] : [invalid('spec', object.spec, IMMUTABLE)];

/** Devices are allocated once and given back whole, after the last consumer has gone. */
function validateStatus({ status = {}, metadata }: ResourceClaim, old: ResourceClaim): FieldError[] {
  const { reservedFor = [], allocation } = status;
  const before = old.status?.allocation;
  const field = 'status.reservedFor';
  const repeated = repetitions(reservedFor, ({ uid = '' }) => uid);
  const known = new Set((old.status?.reservedFor ?? []).map(({ uid }) => uid));
  const isNew = (uid: string | undefined): boolean => !known.has(uid);
  return [
    ...reservedFor.flatMap(({ resource, name, uid = '' }, index) => [
      ...(resource ? [] : [required(`${field}[${index}].resource`)]),
      ...(name ? [] : [required(`${field}[${index}].name`)]),
      ...(uid ? [] : [required(`${field}[${index}].uid`)]),
      ...(repeated.has(index) ? [duplicate(`${field}[${index}].uid`, uid)] : []),
    ]),
    ...(reservedFor.length > MOST_CONSUMERS ? [tooMany(field, reservedFor.length, MOST_CONSUMERS)] : []),
    ...(reservedFor.length > 0 && allocation === undefined ? [forbidden(field, 'may not be specified when `allocated` is not set')] : []),
    ...(metadata?.deletionTimestamp !== undefined && reservedFor.some(({ uid }) => isNew(uid))
      ? [forbidden(field, 'new entries may not be added while `deletionTimestamp` is set')]
      : []),
    ...(before !== undefined && allocation !== undefined && !semanticEqual(allocation, before) ? [invalid('status.allocation', allocation, IMMUTABLE)] : []),
  ];
}

const setDefaults = ({ spec }: ResourceClaim): void => setDeviceClaimDefaults(spec?.devices);

export const resourceClaimStrategy: Strategy = {
  defaults: { v1beta1: setDefaults, v1alpha3: setDefaults },
  validate: validateSpec,
  validateUpdate: (object: ResourceClaim, old: ResourceClaim) => [...validateSpecUpdate(object, old), ...validateSpec(object)],
  validateSubresource: { status: validateStatus },
};

const setTemplateDefaults = ({ spec }: ResourceClaimTemplate): void => setDeviceClaimDefaults(spec?.spec?.devices);

const validateTemplate = ({ spec = {} }: ResourceClaimTemplate): FieldError[] => [
  ...validateLabels(spec.metadata?.labels, 'spec.metadata.labels'),
  ...validateAnnotations(spec.metadata?.annotations, 'spec.metadata.annotations'),
  ...validateDeviceClaim(spec.spec?.devices ?? {}, 'spec.spec.devices'),
];

export const resourceClaimTemplateStrategy: Strategy = {
  defaults: { v1beta1: setTemplateDefaults, v1alpha3: setTemplateDefaults },
  validate: validateTemplate,
  validateUpdate: (object: ResourceClaimTemplate, old: ResourceClaimTemplate) => [...validateTemplate(object), ...validateSpecUpdate(object, old)],
};
