import { type AddressFamily, isMapped, parseAddressSloppy } from '../../addresses/address.ts';
import type { Service, ServicePort } from '../../model/generated/core-v1.ts';
import type { PodSummary } from '../../reconcile/pods/pod-summary.ts';

/** Marks the endpoints of headless Services. */
export const HEADLESS_LABEL = 'service.kubernetes.io/headless';

/** Whether a Pod is an endpoint of the Services that select it. @param keepsTerminating also one that is being deleted */
export const isEndpoint = (pod: PodSummary, keepsTerminating: boolean): boolean =>
  !pod.isFinished && pod.hasAddress && (keepsTerminating || !pod.isTerminating);

/** The hostname under which a Service publishes a Pod, if it governs the Pod's subdomain. */
export const hostnameFor = (pod: PodSummary, { metadata }: Service): string | undefined =>
  pod.hostname !== '' && pod.subdomain === metadata?.name && pod.namespace === metadata.namespace
    ? pod.hostname
    : undefined;

/**
 * The number of the port of a Pod that a Service refers to; undefined if no container has a port of the name.
 * @param withSidecars also those of init containers that keep running
 */
export function targetPort(
  pod: PodSummary,
  { targetPort: target, protocol = 'TCP' }: ServicePort,
  withSidecars: boolean,
): number | undefined {
  if (typeof target !== 'string') return target ?? 0;
  return pod.ports.find(
    (port) => port.name === target && port.protocol === protocol && (withSidecars || !port.isOfSidecar),
  )?.port;
}

/** The addresses of a Pod that are of a family. */
export const addressesOf = (pod: PodSummary, family: AddressFamily): string[] =>
  pod.addresses.filter((address) => familyOf(address) === family);

/** The family of an address; text that is none counts as IPv4. */
export function familyOf(text: string): AddressFamily {
  if (!text.includes(':')) return 'IPv4';
  const address = parseAddressSloppy(text);
  return address === undefined || address.family === 4 || isMapped(address) ? 'IPv4' : 'IPv6';
}

/** Whether clients reach a Service at addresses of its endpoints only. */
export const isHeadless = ({ spec }: Service): boolean => {
  const { clusterIP = '' } = spec ?? {};
  return clusterIP === '' || clusterIP === 'None';
};
