import type { ResourceQuota } from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { Strategy } from '../../strategy.ts';
import { roundResourceList } from '../../validation/quantities.ts';
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
  revalidatesMetadataOnUpdate: true,
  defaults: { v1: defaultResourceQuota },
  validate: (object) => validateResourceQuota(object as ResourceQuota),
  validateUpdate: (object, old) => [
    ...validateResourceQuota(object as ResourceQuota),
    ...validateScopesUnchanged(object as ResourceQuota, old as ResourceQuota),
  ],
  validateSubresource: { status: (object) => validateQuotaStatus(object as ResourceQuota) },
  returnsDeletedObject: true,
};
