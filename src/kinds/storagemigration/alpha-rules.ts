import type {
  MigrationCondition,
  StorageVersionMigration,
} from '../../model/generated/storagemigration-v1alpha1.ts';
import { duplicate, type FieldError, invalid, required } from '../../status/field-error.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { validateImmutable } from '../validation/fields.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

/** Validates a migration of v1alpha1, the version of the releases before 1.35. */
export function validateAlpha({ spec = {} }: StorageVersionMigration): FieldError[] {
  const { version = '', resource = '' } = spec.resource ?? {};
  return [
    ...(resource === '' ? [required('spec.resource.resource', 'resource is required')] : []),
    ...(version === '' ? [required('spec.resource.version', 'version is required')] : []),
  ];
}

const DONE = ['Succeeded', 'Failed'];
const isTrue = (conditions: readonly MigrationCondition[], conditionType: string): boolean =>
  conditions.some(({ type, status }) => type === conditionType && status === 'True');

/**
 * Validates the status: a migration either succeeds or fails, once, and its resource version is immutable.
 */
export function validateAlphaStatus(
  { status = {} }: StorageVersionMigration,
  old: StorageVersionMigration,
): FieldError[] {
  const { conditions = [], resourceVersion = '' } = status;
  const before = old.status?.conditions ?? [];
  const version = 'status.resourceVersion';
  const repeated = findDuplicates(conditions, ({ type }) => type);
  return [
    ...(resourceVersion === '' || /^\d+$/.test(resourceVersion)
      ? []
      : [invalid(version, resourceVersion, 'must be a number')]),
    ...(old.status?.resourceVersion
      ? validateImmutable(resourceVersion, old.status.resourceVersion, version)
      : []),
    ...conditions.flatMap(({ type = '', status: state = '' }, index) => [
      ...(type === '' ? [required(`status.conditions[${index}].type`)] : []),
      ...(state === '' ? [required(`status.conditions[${index}].status`)] : []),
      ...(repeated.has(index) ? [duplicate(`status.conditions[${index}].type`, type)] : []),
    ]),
    ...(DONE.every((type) => isTrue(conditions, type))
      ? [invalid('status.conditions', DONE.join(', '), 'Both success and failed conditions cannot be true')]
      : []),
    ...DONE.flatMap((type) =>
      isTrue(before, type) && !isTrue(conditions, type)
        ? [invalid('status.conditions', type, `${type} condition cannot be set to false once it is true`)]
        : [],
    ),
  ];
}

/** Validates an update: `spec.resource` is immutable. */
export const validateAlphaUpdate = (
  object: StorageVersionMigration,
  old: StorageVersionMigration,
): FieldError[] => [
  ...validateAlpha(object),
  ...(semanticEqual(object.spec?.resource, old.spec?.resource)
    ? []
    : validateImmutable(object.spec?.resource, old.spec?.resource, 'spec.resource')),
];
