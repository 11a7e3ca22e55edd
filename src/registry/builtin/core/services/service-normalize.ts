import type { Service, ServiceSpec } from '../../../../model/generated/core-v1.ts';
import { semanticEqual } from '../../../validation/semantic-equal.ts';
import {
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
  const before = old.spec ?? {};
  const same = (spec.clusterIP ?? '') === (before.clusterIP ?? '');
  if (same) {
    if (before.clusterIPs?.length && !spec.clusterIPs?.length) spec.clusterIPs = [...before.clusterIPs];
  } else if (sameStrings(before.clusterIPs, spec.clusterIPs)) {
    if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
    else delete spec.clusterIPs;
  }
}

/** Copies allocated values that the client omitted, so that re-applying the original manifest is a no-op. */
export function keepAllocatedValues(service: Service, old: Service): void {
  const spec = specOf(service);
  const before = old.spec ?? {};
  if (needsClusterAddress(old) && needsClusterAddress(service)) {
    if (!spec.clusterIP && before.clusterIP) spec.clusterIP = before.clusterIP;
    if (!spec.clusterIPs?.length && before.clusterIPs?.length && spec.clusterIP === before.clusterIP)
      spec.clusterIPs = [...before.clusterIPs];
  }
  if (needsNodePorts(old) && needsNodePorts(service)) keepNodePorts(service, old);
  if (
    needsHealthCheckPort(old) &&
    needsHealthCheckPort(service) &&
    !spec.healthCheckNodePort &&
    before.healthCheckNodePort
  ) {
    spec.healthCheckNodePort = before.healthCheckNodePort;
  }
}

/** Copies node ports by port name, unless the client assigned the node port to another port. */
function keepNodePorts(service: Service, old: Service): void {
  const requested = new Set(nodePortsOf(service));
  const used = new Set(nodePortsOf(old).filter((port) => requested.has(port)));
  const byName = new Map((old.spec?.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of service.spec?.ports ?? []) {
    const before = byName.get(port.name ?? '') ?? 0;
    if (port.nodePort || before === 0 || used.has(before)) continue;
    port.nodePort = before;
    used.add(before);
  }
}

/** Removes the unchanged secondary address and family when the policy becomes SingleStack. */
export function trimToSingleStack(service: Service, old: Service): void {
  const spec = specOf(service);
  const before = old.spec ?? {};
  if (spec.ipFamilyPolicy !== 'SingleStack' || !isDualStackPolicy(before.ipFamilyPolicy)) return;
  if (spec.clusterIPs !== undefined && sameStrings(spec.clusterIPs, before.clusterIPs))
    spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (spec.ipFamilies !== undefined && sameStrings(spec.ipFamilies, before.ipFamilies))
    spec.ipFamilies = spec.ipFamilies.slice(0, 1);
}

const isDualStackPolicy = (policy: string | undefined): boolean =>
  policy === 'PreferDualStack' || policy === 'RequireDualStack';

/** Drops fields that the new type does not use, unless the client changed them. */
export function dropTypeDependentFields(service: Service, old: Service): void {
  const spec = specOf(service);
  const before = old.spec ?? {};
  const noLonger = (uses: (service: Service) => boolean): boolean => uses(old) && !uses(service);
  const dropUnchanged = (...members: (keyof ServiceSpec)[]): void => {
    for (const member of members) if (semanticEqual(spec[member], before[member])) delete spec[member];
  };
  if (noLonger(needsClusterAddress)) {
    if (
      (spec.clusterIP ?? '') === (before.clusterIP ?? '') &&
      sameStrings(spec.clusterIPs, before.clusterIPs)
    ) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    dropUnchanged('ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');
  }
  if (noLonger(needsNodePorts)) {
    const previous = new Set(nodePortsOf(old));
    const ports = nodePortsOf(service);
    if (ports.length === nodePortsOf(old).length && ports.every((port) => previous.has(port)))
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
