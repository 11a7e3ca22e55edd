import type { Service } from '../../../../model/generated/core-v1.ts';

/** Questions about a Service that defaults, allocation and validation ask alike. */
export const HEADLESS = 'None';

export const isExternalName = ({ spec }: Service): boolean => spec?.type === 'ExternalName';
export const isLoadBalancer = ({ spec }: Service): boolean => spec?.type === 'LoadBalancer';
export const isHeadless = ({ spec }: Service): boolean =>
  spec?.clusterIPs?.[0] === HEADLESS ||
  (spec?.clusterIP === HEADLESS && (spec.clusterIPs?.length ?? 0) === 0);
export const hasSelector = ({ spec }: Service): boolean => Object.keys(spec?.selector ?? {}).length > 0;

/** `None` counts as an address. */
export const needsClusterAddress = (service: Service): boolean => !isExternalName(service);

/** A load balancer may go without node ports, if it says so. */
export const needsNodePorts = (service: Service): boolean =>
  service.spec?.type === 'NodePort' || isLoadBalancer(service);
export const allocatesNodePorts = (service: Service): boolean =>
  service.spec?.type === 'NodePort' ||
  (isLoadBalancer(service) && service.spec?.allocateLoadBalancerNodePorts !== false);
export const needsHealthCheckPort = (service: Service): boolean =>
  isLoadBalancer(service) && service.spec?.externalTrafficPolicy === 'Local';

export const isExternallyAccessible = (service: Service): boolean =>
  needsNodePorts(service) ||
  (service.spec?.type === 'ClusterIP' && (service.spec.externalIPs?.length ?? 0) > 0);

export const nodePortsOf = ({ spec }: Service): number[] =>
  (spec?.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));

/** Same strings in the same order; absent and empty lists are alike. */
export const sameStrings = (
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): boolean =>
  (left?.length ?? 0) === (right?.length ?? 0) &&
  (left ?? []).every((text, index) => text === right?.[index]);
