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
  descriptions: {
    Service: 'Stable name and address of a set of pods.',
    ServiceSpec: 'Specification of a service.',
    'ServiceSpec.ports': 'Ports that the service exposes.',
    'ServiceSpec.selector':
      'Labels of the pods that receive the traffic. If empty, the endpoints are managed externally.',
    'ServiceSpec.clusterIP':
      'IP address within the cluster. The server allocates it unless it is specified. None makes the service headless.',
    'ServiceSpec.clusterIPs':
      'IP addresses within the cluster, at most one per IP family. The first equals clusterIP.',
    'ServiceSpec.type':
      'How the service is exposed: ClusterIP, NodePort, LoadBalancer or ExternalName. Default: ClusterIP.',
    'ServiceSpec.externalIPs': 'Additional IP addresses at which nodes accept traffic for the service.',
    'ServiceSpec.sessionAffinity':
      'ClientIP routes all connections of a client IP address to the same pod. Default: None.',
    'ServiceSpec.sessionAffinityConfig': 'Configuration of session affinity.',
    'ServiceSpec.loadBalancerIP':
      'Requested IP address of the load balancer. Support depends on the provider. Deprecated.',
    'ServiceSpec.loadBalancerSourceRanges': 'CIDRs of the clients that may access the load balancer.',
    'ServiceSpec.loadBalancerClass': 'Class of the load balancer implementation.',
    'ServiceSpec.allocateLoadBalancerNodePorts':
      'Whether node ports are allocated for a service of type LoadBalancer. Default: true.',
    'ServiceSpec.externalName': 'DNS name that a service of type ExternalName resolves to.',
    'ServiceSpec.externalTrafficPolicy':
      'How nodes route external traffic: Cluster to all endpoints, Local to endpoints on the same node only.',
    'ServiceSpec.internalTrafficPolicy':
      'How nodes route traffic from the cluster: Cluster to all endpoints, Local to endpoints on the same node only.',
    'ServiceSpec.healthCheckNodePort':
      'Node port at which load balancers check whether a node has endpoints of the service.',
    'ServiceSpec.publishNotReadyAddresses': 'Whether pods that are not ready are included in the endpoints.',
    'ServiceSpec.ipFamilies': 'IP families of the service: IPv4, IPv6 or both, in order of preference.',
    'ServiceSpec.ipFamilyPolicy': 'SingleStack, PreferDualStack or RequireDualStack.',
    'ServiceSpec.trafficDistribution':
      'Preference for the distribution of traffic over endpoints, such as PreferClose.',
    ServicePort: 'Port of a service.',
    'ServicePort.name': 'Name of the port. Required if the service has several ports.',
    'ServicePort.protocol': 'TCP, UDP or SCTP. Default: TCP.',
    'ServicePort.port': 'Port number that the service exposes.',
    'ServicePort.targetPort': 'Number or name of the port on the pods. Default: the value of port.',
    'ServicePort.nodePort':
      'Port on each node for types NodePort and LoadBalancer. The server allocates it unless it is specified.',
    'ServicePort.appProtocol': 'Application protocol of the port, for example kubernetes.io/h2c.',
    ServiceStatus: 'Status of a service.',
    'ServiceStatus.loadBalancer': 'Status of the load balancer, with its ingress points.',
  },
});
