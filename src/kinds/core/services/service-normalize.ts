import type { Service, ServiceSpec } from '../../../model/generated/core-v1.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';
import {
  allocatesNodePorts,
  isExternallyAccessible,
  isLoadBalancer,
  needsClusterAddress,
  needsHealthCheckPort,
  needsNodePorts,
  nodePortsOf,
  sameStrings,
} from './service-rules.ts';

/**
 * Keeps `clusterIP` and `clusterIPs` consistent: a client that knows only `clusterIP` changes only that
 * member.
 */
export function synchronizeClusterAddresses(service: Service, old: Service | undefined): void {
  const spec = specOf(service);
  if (old === undefined) {
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
    return;
  }
  const oldSpec = old.spec ?? {};
  const { clusterIP = '' } = spec;
  if (clusterIP === (oldSpec.clusterIP ?? '')) {
    if (oldSpec.clusterIPs?.length && !spec.clusterIPs?.length) spec.clusterIPs = [...oldSpec.clusterIPs];
  } else if (sameStrings(oldSpec.clusterIPs, spec.clusterIPs)) {
    if (clusterIP === '' && oldSpec.clusterIP) delete spec.clusterIPs;
    else spec.clusterIPs = [clusterIP];
  }
}

/** Copies allocated values that the client omitted, so that re-applying the original manifest is a no-op. */
export function keepAllocatedValues(service: Service, old: Service): void {
  const spec = specOf(service);
  const oldSpec = old.spec ?? {};
  if (needsClusterAddress(old) && needsClusterAddress(service)) {
    if (!spec.clusterIP && oldSpec.clusterIP) spec.clusterIP = oldSpec.clusterIP;
    if (!spec.clusterIPs?.length && oldSpec.clusterIPs?.length) spec.clusterIPs = [...oldSpec.clusterIPs];
  }
  // A load balancer that opts out of node ports has those that the client names, and no others.
  if (allocatesNodePorts(old) && allocatesNodePorts(service)) keepNodePorts(service, old);
  if (
    needsHealthCheckPort(old) &&
    needsHealthCheckPort(service) &&
    !spec.healthCheckNodePort &&
    oldSpec.healthCheckNodePort
  ) {
    spec.healthCheckNodePort = oldSpec.healthCheckNodePort;
  }
}

/**
 * Copies node ports by port name, unless the client assigned the node port to another port. Old ports with
 * different protocols may have shared one.
 */
function keepNodePorts(service: Service, old: Service): void {
  const requested = new Set(nodePortsOf(service));
  const byName = new Map((old.spec?.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of service.spec?.ports ?? []) {
    const oldPort = byName.get(port.name ?? '') ?? 0;
    if (port.nodePort || oldPort === 0 || requested.has(oldPort)) continue;
    port.nodePort = oldPort;
  }
}

/** Removes the unchanged secondary address and family when the policy becomes SingleStack. */
export function trimToSingleStack(service: Service, old: Service): void {
  const spec = specOf(service);
  const oldSpec = old.spec ?? {};
  if (spec.ipFamilyPolicy !== 'SingleStack' || !isDualStackPolicy(oldSpec.ipFamilyPolicy)) return;
  if (spec.clusterIPs !== undefined && sameStrings(spec.clusterIPs, oldSpec.clusterIPs))
    spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (spec.ipFamilies !== undefined && sameStrings(spec.ipFamilies, oldSpec.ipFamilies))
    spec.ipFamilies = spec.ipFamilies.slice(0, 1);
}

const isDualStackPolicy = (policy: string | undefined): boolean =>
  policy === 'PreferDualStack' || policy === 'RequireDualStack';

/** Drops fields that the new type does not use, unless the client changed them. */
export function dropTypeDependentFields(service: Service, old: Service): void {
  const spec = specOf(service);
  const oldSpec = old.spec ?? {};
  const noLonger = (uses: (service: Service) => boolean): boolean => uses(old) && !uses(service);
  const dropUnchanged = (...members: (keyof ServiceSpec)[]): void => {
    for (const member of members) if (semanticEqual(spec[member], oldSpec[member])) delete spec[member];
  };
  if (noLonger(needsClusterAddress)) {
    if (
      (spec.clusterIP ?? '') === (oldSpec.clusterIP ?? '') &&
      sameStrings(spec.clusterIPs, oldSpec.clusterIPs)
    ) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    dropUnchanged('ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');
  }
  if (noLonger(needsNodePorts)) {
    const previous = new Set(nodePortsOf(old));
    if (nodePortsOf(service).every((port) => previous.has(port)))
      for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (noLonger(needsHealthCheckPort)) dropUnchanged('healthCheckNodePort');
  if (noLonger(isLoadBalancer)) dropUnchanged('allocateLoadBalancerNodePorts', 'loadBalancerClass');
  if (noLonger(isExternallyAccessible)) dropUnchanged('externalTrafficPolicy');
}

function specOf(service: Service): ServiceSpec {
  service.spec ??= {};
  return service.spec;
}
