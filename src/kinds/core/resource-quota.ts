import type { ResourceQuota } from '../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { roundResourceList } from '../validation/quantities.ts';
import {
  validateQuotaStatus,
  validateResourceQuota,
  validateScopesUnchanged,
} from './resource-quota-validation.ts';

function defaultResourceQuota(object: KubernetesObject): void {
  const { spec, status } = object as ResourceQuota;
  for (const amounts of [spec?.hard, status?.hard, status?.used]) roundResourceList(amounts);
}

export const resourceQuotaStrategy: Strategy = {
  defaulting: { byVersion: { v1: defaultResourceQuota } },
  validate: (object) => validateResourceQuota(object as ResourceQuota),
  validateUpdate: (object, old) => [
    ...validateResourceQuota(object as ResourceQuota),
    ...validateScopesUnchanged(object as ResourceQuota, old as ResourceQuota),
  ],
  validateSubresource: { status: (object) => validateQuotaStatus(object as ResourceQuota) },
  deletion: { returnsObject: true },
};

/** Formats `used/hard` of limits, or of all other resources. */
function quotaUse({ status }: ResourceQuota, limits: boolean): string {
  const { hard = {}, used = {} } = status ?? {};
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === limits)
    .sort()
    .map((name) => `${name}: ${Object.hasOwn(used, name) ? used[name] : '0'}/${hard[name]}`)
    .join(', ');
}

export const resourceQuotas = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  shortNames: ['quota'],
  subresources: ['status'],
  strategy: resourceQuotaStrategy,
  table: table<ResourceQuota>(
    [
      NAME,
      { ...AGE, until: '1.33' },
      column('Request', 'Used and allowed requests.'),
      column('Limit', 'Used and allowed limits.'),
      { ...AGE, since: '1.33' },
    ],
    (object) => [
      nameOf(object),
      ageOf(object),
      quotaUse(object, false),
      quotaUse(object, true),
      ageOf(object),
    ],
  ),
});
