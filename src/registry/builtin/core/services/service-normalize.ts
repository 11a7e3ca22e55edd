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
 * Old clients know only `clusterIP`, newer ones both it and `clusterIPs`: what one of them left out follows
 * the other.
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

/**
 * Values the server once gave and the client left out stay, so that writing an object back as it was first
 * sent changes nothing.
 */
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

/** By port name, unless the client gave the number to another port. */
function keepNodePorts(service: Service, old: Service): void {
  const given = new Set(nodePortsOf(service));
  const used = new Set(nodePortsOf(old).filter((port) => given.has(port)));
  const byName = new Map((old.spec?.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of service.spec?.ports ?? []) {
    const before = byName.get(port.name ?? '') ?? 0;
    if (port.nodePort || before === 0 || used.has(before)) continue;
    port.nodePort = before;
    used.add(before);
  }
}

/** A second address and family that the client did not touch go when it asks for one family only. */
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

/** Drops what the new type has no use for, as long as the client did not set it anew. */
export function dropTypeDependentFields(service: Service, old: Service): void {
  const spec = specOf(service);
  const before = old.spec ?? {};
  const lost = (needs: (service: Service) => boolean): boolean => needs(old) && !needs(service);
  const dropUnchanged = (...members: (keyof ServiceSpec)[]): void => {
    for (const member of members) if (semanticEqual(spec[member], before[member])) delete spec[member];
  };
  if (lost(needsClusterAddress)) {
    if (
      (spec.clusterIP ?? '') === (before.clusterIP ?? '') &&
      sameStrings(spec.clusterIPs, before.clusterIPs)
    ) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    dropUnchanged('ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');
  }
  if (lost(needsNodePorts)) {
    const previous = new Set(nodePortsOf(old));
    const ports = nodePortsOf(service);
    if (ports.length === nodePortsOf(old).length && ports.every((port) => previous.has(port)))
      for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (lost(needsHealthCheckPort)) dropUnchanged('healthCheckNodePort');
  if (lost(isLoadBalancer)) dropUnchanged('allocateLoadBalancerNodePorts', 'loadBalancerClass');
  if (lost(isExternallyAccessible)) dropUnchanged('externalTrafficPolicy');
}

function specOf(service: Service): ServiceSpec {
  service.spec ??= {};
  return service.spec;
}
