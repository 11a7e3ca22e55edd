import type { Service } from '../../../../model/generated/core-v1.ts';
import { defineResource } from '../../../builtin-resource.ts';
import type { Strategy } from '../../../strategy.ts';
import { nameIsDns1035Label } from '../../../validation/names.ts';
import type { ServiceAllocator } from './allocation/service-allocator.ts';
import { defaultService } from './service-defaults.ts';
import {
  dropTypeDependentFields,
  keepAllocatedValues,
  synchronizeClusterAddresses,
  trimToSingleStack,
} from './service-normalize.ts';
import { isLoadBalancer } from './service-rules.ts';
import { serviceTable } from './service-table.ts';
import { validateServiceChanges } from './service-update-validation.ts';
import { validateService, validateServiceStatus } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

/** Strategy of Services without allocation; see {@link allocatingServiceStrategy}. */
export const serviceStrategy: Strategy = {
  revalidatesMetadataOnUpdate: true,
  defaults: { v1: defaultService },
  validateName: nameIsDns1035Label,
  prepareForCreate(object) {
    synchronizeClusterAddresses(object as Service, undefined);
  },
  prepareForUpdate(object, old) {
    const [service, oldService] = [object as Service, old as Service];
    synchronizeClusterAddresses(service, oldService);
    keepAllocatedValues(service, oldService);
    dropTypeDependentFields(service, oldService);
    trimToSingleStack(service, oldService);
  },
  validate: (object) => validateService(object as Service),
  validateUpdate: (object, old) => [
    ...validateServiceChanges(object as Service, old as Service),
    ...validateService(object as Service),
  ],
  validateSubresource: { status: (object) => validateServiceStatus(object as Service) },
  // A Service that is no longer a load balancer has no load balancer status, even before the load balancer is
  // deleted.
  canonicalize(object) {
    const { status } = object as Service;
    if (status?.loadBalancer !== undefined && !isLoadBalancer(object as Service))
      object.status = { ...status, loadBalancer: {} };
  },
  warnings: (object) => serviceWarnings(object as Service),
  createsOnUpdate: true,
  returnsDeletedObject: true,
};

/** Strategy of Services whose addresses and ports are allocated from the server's ranges. */
export const allocatingServiceStrategy = (allocator: ServiceAllocator): Strategy => ({
  ...serviceStrategy,
  allocate: (object, old, { dryRun }) =>
    allocator.allocate(object as Service, old as Service | undefined, dryRun),
  release: (object) => allocator.release(object as Service),
});

export const services = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'services',
  kind: 'Service',
  shortNames: ['svc'],
  categories: ['all'],
  subresources: [
    { name: 'proxy', kind: 'ServiceProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'] },
    'status',
  ],
  storage: { prefix: 'services/specs' },
  strategy: ({ allocator }) => allocatingServiceStrategy(allocator),
  fieldSelectors: {
    'spec.clusterIP': ({ spec }) => (spec as Service['spec'])?.clusterIP ?? '',
    'spec.type': ({ spec }) => (spec as Service['spec'])?.type ?? '',
  },
  table: serviceTable,
});
