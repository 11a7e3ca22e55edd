import { isConditionTrue } from '../../model/conditions.ts';
import type { StorageVersionMigration } from '../../model/generated/storagemigration-v1.ts';
import type { StorageVersionMigration as AlphaMigration } from '../../model/generated/storagemigration-v1alpha1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import { dns1035Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { column, nameOf, table } from '../tables/define.ts';
import { validateConditions } from '../validation/conditions.ts';
import { IMMUTABLE, validateImmutable } from '../validation/fields.ts';
import { validateAlpha, validateAlphaStatus, validateAlphaUpdate } from './alpha-rules.ts';

/** The releases that have v1alpha1 only. */
const IS_ALPHA: Life = { until: '1.35' };
/** The release in which a migration cannot run and be done, and must say a resource version with its status. */
const IS_FIRST_BETA: Life = { since: '1.35', until: '1.36' };

const join = (texts: readonly string[]): string => texts.join(',');

function validate({ spec = {} }: StorageVersionMigration): FieldError[] {
  const { group = '', resource = '' } = spec.resource ?? {};
  const resourceTexts = dns1035Label(resource);
  const groupTexts = group === '' ? [] : dns1123Subdomain(group);
  const field = 'spec.resource.resource';
  return [
    ...(resource === ''
      ? [required(field, 'resource is required to be set')]
      : resourceTexts.length > 0
        ? [invalid(field, resource, join(resourceTexts))]
        : []),
    ...(groupTexts.length > 0 ? [invalid('spec.resource.group', group, join(groupTexts))] : []),
  ];
}

/** The states in which a migration is done, as conditions and as errors name them. */
const DONE = [
  ['Succeeded', 'success', 'Success'],
  ['Failed', 'failed', 'Failed'],
] as const;

/** A resource version of the store: a positive number of any length, without leading zeros. */
const RESOURCE_VERSION = /^[1-9]\d*$/;

/** Validates the status: a migration either succeeds or fails, once, and its resource version is immutable. */
function validateStatus(
  { status = {} }: StorageVersionMigration,
  old: StorageVersionMigration,
  context: RuleContext,
): FieldError[] {
  const { conditions = [], resourceVersion = '' } = status;
  const before = old.status ?? {};
  const version = 'status.resourceVersion';
  const contradiction = (text: string): FieldError => invalid('status.conditions', conditions, text);
  const isFirst = context.has(IS_FIRST_BETA);
  return [
    ...((resourceVersion === '' && !isFirst) || RESOURCE_VERSION.test(resourceVersion)
      ? []
      : [invalid(version, resourceVersion, `resource version is not well formed: ${resourceVersion}`)]),
    ...validateConditions(conditions, 'status.conditions', context),
    ...(before.resourceVersion && before.resourceVersion !== resourceVersion
      ? [invalid(version, resourceVersion, IMMUTABLE)]
      : []),
    ...(DONE.every(([type]) => isConditionTrue(conditions, type))
      ? [contradiction('Both success and failed conditions cannot be true at the same time')]
      : []),
    ...(isFirst && isConditionTrue(conditions, 'Running')
      ? DONE.filter(([type]) => isConditionTrue(conditions, type)).map(([, name]) =>
          contradiction(`Running condition cannot be true when ${name} condition is true`),
        )
      : []),
    ...DONE.filter(
      ([type]) => isConditionTrue(before.conditions ?? [], type) && !isConditionTrue(conditions, type),
    ).map(([, , name]) => contradiction(`${name} condition cannot be set to false once it is true`)),
  ];
}

const SPEC = 'storagemigration_v1beta1.StorageVersionMigrationSpec';

export const storageVersionMigrationStrategy: Strategy = {
  validate: (object: StorageVersionMigration, { has }) =>
    has(IS_ALPHA) ? validateAlpha(object as AlphaMigration) : validate(object),
  validateUpdate: (object: StorageVersionMigration, old: StorageVersionMigration, { has }) =>
    has(IS_ALPHA)
      ? validateAlphaUpdate(object as AlphaMigration, old as AlphaMigration)
      : [...validate(object), ...validateImmutable(object.spec, old.spec, 'spec', internalTypes.type(SPEC))],
  validateSubresource: {
    status: (object: StorageVersionMigration, old: StorageVersionMigration, context) =>
      context.has(IS_ALPHA)
        ? validateAlphaStatus(object as AlphaMigration, old as AlphaMigration)
        : validateStatus(object, old, context),
  },
  resetFields: { status: [['metadata'], ['spec']] },
  status: { updatesMetadata: false },
  requiresResourceVersion: true,
};

const STATES = ['Running', 'Succeeded', 'Failed'];

/** The state that the last condition of a migration names. */
const stateOf = ({ status = {} }: StorageVersionMigration): string =>
  status.conditions?.findLast(({ type = '', status }) => status === 'True' && STATES.includes(type))?.type ??
  'Unknown';

/** The migrated resource as `pods`, `deployments.apps`, or with the version that v1alpha1 has: `pods.v1.`. */
function resourceOf({ spec = {} }: AlphaMigration): string {
  const { group = '', version, resource = '' } = spec.resource ?? {};
  if (version !== undefined) return `${resource}.${version}.${group}`;
  return group === '' ? resource : `${resource}.${group}`;
}

export const storageVersionMigrations = defineResource({
  group: 'storagemigration.k8s.io',
  versions: [
    { name: 'v1', since: '1.37' },
    { name: 'v1beta1', since: '1.35', deprecation: { since: '1.37', unavailable: '1.40' } },
    { name: 'v1alpha1', until: '1.35', deprecation: { since: '1.33', unavailable: '1.36' } },
  ],
  resource: 'storageversionmigrations',
  kind: 'StorageVersionMigration',
  gate: 'StorageVersionMigrator',
  scope: 'Cluster',
  subresources: ['status'],
  strategy: storageVersionMigrationStrategy,
  table: table<StorageVersionMigration>(
    [
      column('Name', 'Name of the object.'),
      column('Resource', 'Resource to migrate.'),
      { ...column('Status', 'State of the migration.'), since: '1.35' },
    ],
    (object) => [nameOf(object), resourceOf(object as AlphaMigration), stateOf(object)],
  ),
});
