import type { Service } from '../../../model/generated/core-v1.ts';

/** The `clusterIP` of a headless Service. */
export const HEADLESS = 'None';

export const isExternalName = ({ spec }: Service): boolean => spec?.type === 'ExternalName';
export const isLoadBalancer = ({ spec }: Service): boolean => spec?.type === 'LoadBalancer';
export const isHeadless = ({ spec }: Service): boolean =>
  spec?.clusterIPs?.[0] === HEADLESS ||
  (spec?.clusterIP === HEADLESS && (spec.clusterIPs?.length ?? 0) === 0);
export const hasSelector = ({ spec }: Service): boolean => Object.keys(spec?.selector ?? {}).length > 0;

/** Whether the Service has a cluster IP; `None` counts as one. */
export const needsClusterAddress = (service: Service): boolean => !isExternalName(service);

/** Whether the ports of the Service can have node ports. */
export const needsNodePorts = (service: Service): boolean =>
  service.spec?.type === 'NodePort' || isLoadBalancer(service);
/** Whether missing node ports are allocated: a load balancer can opt out. */
export const allocatesNodePorts = (service: Service): boolean =>
  service.spec?.type === 'NodePort' ||
  (isLoadBalancer(service) && service.spec?.allocateLoadBalancerNodePorts !== false);
/** Whether the Service has a health check node port. */
export const needsHealthCheckPort = (service: Service): boolean =>
  isLoadBalancer(service) && service.spec?.externalTrafficPolicy === 'Local';

/** Whether the Service is reachable from outside the cluster and has an external traffic policy. */
export const isExternallyAccessible = (service: Service): boolean =>
  needsNodePorts(service) ||
  (service.spec?.type === 'ClusterIP' && (service.spec.externalIPs?.length ?? 0) > 0);

/** Returns the node ports that are set. */
export const nodePortsOf = ({ spec }: Service): number[] =>
  (spec?.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));

/** Whether two lists are equal; an absent list equals an empty one. */
export const sameStrings = (
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): boolean =>
  (left?.length ?? 0) === (right?.length ?? 0) &&
  (left ?? []).every((text, index) => text === right?.[index]);
