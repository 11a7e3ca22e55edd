import type { Service } from '../../../model/generated/core-v1.ts';
import { nameIsDns1035Label, nameIsLabel } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { defineResource } from '../../builtin-resource.ts';
import { textAt } from '../../field-reader.ts';
import type { Strategy } from '../../strategy.ts';
import type { ServiceAddresses } from './service-addresses.ts';
import { serviceCompletion } from './service-completion.ts';
import { defaultService } from './service-defaults.ts';
import {
  dropTypeDependentFields,
  keepAllocatedValues,
  synchronizeClusterAddresses,
  trimToSingleStack,
} from './service-normalize.ts';
import { isExternalName, isLoadBalancer } from './service-rules.ts';
import { serviceTable } from './service-table.ts';
import { validateServiceChanges } from './service-update-validation.ts';
import { validateService, validateServiceStatus } from './service-validation.ts';
import { ingressWarnings, serviceWarnings } from './service-warnings.ts';

/** Strategy of Services without allocation; see {@link allocatingServiceStrategy}. */
export const serviceStrategy: Strategy = {
  metadata: {
    validateName: nameIsDns1035Label,
    checks: { update: ['change', 'whole'] },
  },
  defaulting: { byVersion: { v1: defaultService } },
  prepareForCreate(object) {
    synchronizeClusterAddresses(object as Service, undefined);
  },
  prepareForUpdate(object, old) {
    const [service, oldService] = [object as Service, old as Service];
    keepAllocatedValues(service, oldService);
    synchronizeClusterAddresses(service, oldService);
    dropTypeDependentFields(service, oldService);
    trimToSingleStack(service, oldService);
  },
  validate: (object, context) => validateService(object as Service, context),
  validateUpdate: (object, old, context) => [
    ...validateServiceChanges(object as Service, old as Service),
    ...validateService(object as Service, context, old as Service),
  ],
  validateSubresource: {
    status: (object, old, context) => validateServiceStatus(object as Service, old as Service, context),
  },
  // A Service that is no longer a load balancer has no load balancer status, even before the load balancer is
  // deleted.
  // External names have no internal traffic policy.
  canonicalize(object) {
    const { spec, status } = object as Service;
    if (isExternalName(object as Service)) delete spec?.internalTrafficPolicy;
    if (status?.loadBalancer !== undefined && !isLoadBalancer(object as Service))
      object.status = { ...status, loadBalancer: {} };
  },
  warnings: (object, _old, context) => serviceWarnings(object as Service, context),
  subresourceWarnings: { status: (object, context) => ingressWarnings(object as Service, context) },
  createsOnUpdate: true,
  deletion: { returnsObject: true },
};

/** Strategy of Services whose addresses and ports are allocated from the server's ranges. */
export const allocatingServiceStrategy = (allocator: ServiceAddresses, { isOn }: RuleContext): Strategy => ({
  ...serviceStrategy,
  ...(isOn('RelaxedServiceNameValidation')
    ? { metadata: { ...serviceStrategy.metadata, validateName: nameIsLabel } }
    : {}),
  defaulting: {
    ...serviceStrategy.defaulting,
    completion: serviceCompletion(() => allocator.families[0]!),
  },
  allocate: (object, old, context) =>
    allocator.allocate(object as Service, old as Service | undefined, context),
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
  strategy: (dependencies) => allocatingServiceStrategy(dependencies.allocator, dependencies),
  fieldSelectors: {
    'spec.clusterIP': textAt('spec', 'clusterIP'),
    'spec.type': textAt('spec', 'type'),
  },
  table: serviceTable,
});
