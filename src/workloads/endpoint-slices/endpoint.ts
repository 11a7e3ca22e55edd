import type { AddressFamily } from '../../addresses/address.ts';
import type { Service } from '../../model/generated/core-v1.ts';
import type { Endpoint, EndpointPort } from '../../model/generated/discovery-v1.ts';
import { isSame } from '../../reconcile/equality.ts';
import type { PodSummary } from '../../reconcile/pods/pod-summary.ts';
import { addressesOf, hostnameFor, targetPort } from '../service-pods/endpoint-pod.ts';

/**
 * The endpoint that a Pod is for a Service; undefined if it has no address of the family.
 * @param zone of its node, if that has one
 */
export function endpointOf(
  pod: PodSummary,
  service: Service,
  family: AddressFamily,
  zone: string | undefined,
): Endpoint | undefined {
  const addresses = addressesOf(pod, family);
  if (addresses.length === 0) return undefined;
  const { namespace, name, uid, node, isReady: serving, isTerminating: terminating } = pod;
  const hostname = hostnameFor(pod, service);
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(node !== '' && { nodeName: node }),
    ...(zone !== undefined && { zone }),
  };
}

/** What makes an endpoint the same one, whatever else changes. */
export function endpointKey({ addresses = [], hostname = '', targetRef = {} }: Endpoint): string {
  const { namespace = '', name = '' } = targetRef;
  return JSON.stringify([
    addresses.length > 1 ? [...addresses].sort() : addresses,
    hostname,
    namespace,
    name,
  ]);
}

/** Whether endpoints with the same key say the same; the version of the referenced object does not count, nor do hints. */
export function isSameEndpoint(one: Endpoint, other: Endpoint): boolean {
  const [first, second] = [one.targetRef ?? {}, other.targetRef ?? {}];
  return (
    one.nodeName === other.nodeName &&
    one.zone === other.zone &&
    isSame(one.conditions, other.conditions) &&
    first.kind === second.kind &&
    first.uid === second.uid
  );
}

export const isReadyEndpoint = ({ conditions }: Endpoint): boolean => conditions?.ready === true;

/** The ports of a Service that a Pod has. */
export const portsOf = ({ spec }: Service, pod: PodSummary): EndpointPort[] =>
  (spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(pod, port, false);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, port: number, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });

/** The same text for lists of the same ports. */
export const portsKey = (ports: readonly EndpointPort[] = []): string =>
  JSON.stringify(
    ports
      .map(({ name, protocol, port, appProtocol }) => JSON.stringify([name, protocol, port, appProtocol]))
      .sort(),
  );
