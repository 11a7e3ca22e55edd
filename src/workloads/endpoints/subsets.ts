import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Service,
} from '../../model/generated/core-v1.ts';
import type { PodSummary } from '../../reconcile/pods/pod-summary.ts';
import { addressesOf, familyOf, hostnameFor, isEndpoint, targetPort } from '../service-pods/endpoint-pod.ts';

/** Pods that offer the same ports. */
interface PodGroup {
  readonly ports: readonly EndpointPort[];
  readonly ready: EndpointAddress[];
  readonly notReady: EndpointAddress[];
}

/**
 * The addresses of the Pods of a Service, each once for each of its ports: the ports that all addresses of a subset
 * have are one subset.
 */
export function subsetsOf(service: Service, pods: readonly PodSummary[]): EndpointSubset[] {
  const groups = [...groupPods(service, pods).values()];
  const byPort = new Map<string, { readonly port: EndpointPort; readonly groups: number[] }>();
  for (const [index, { ports }] of groups.entries())
    for (const port of ports) {
      const key = portKey(port);
      const known = byPort.get(key);
      if (known === undefined) byPort.set(key, { port, groups: [index] });
      else known.groups.push(index);
    }
  const byGroups = new Map<string, { readonly ports: EndpointPort[]; readonly groups: readonly number[] }>();
  for (const { port, groups: having } of byPort.values()) {
    const key = having.join();
    const known = byGroups.get(key);
    if (known === undefined) byGroups.set(key, { ports: [port], groups: having });
    else known.ports.push(port);
  }
  // A headless Service may have no ports: then there is one group, without any.
  for (const [index, { ports }] of groups.entries())
    if (ports.length === 0) byGroups.set('', { ports: [], groups: [index] });
  return [...byGroups.values()]
    .map(({ ports, groups: having }) =>
      subset(
        ports,
        having.map((index) => groups[index]!),
      ),
    )
    .sort((one, other) => compare(portKey(one.ports?.[0] ?? {}), portKey(other.ports?.[0] ?? {})));
}

function groupPods(service: Service, pods: readonly PodSummary[]): Map<string, PodGroup> {
  const { publishNotReadyAddresses = false } = service.spec ?? {};
  const groups = new Map<string, PodGroup>();
  for (const pod of pods) {
    if (!isEndpoint(pod, publishNotReadyAddresses)) continue;
    const address = addressFor(service, pod);
    const ports = portsFor(service, pod);
    if (address === undefined || ports === undefined) continue;
    const key = JSON.stringify(ports);
    let group = groups.get(key);
    if (group === undefined) {
      group = { ports, ready: [], notReady: [] };
      groups.set(key, group);
    }
    (publishNotReadyAddresses || pod.isReady ? group.ready : group.notReady).push(address);
  }
  return groups;
}

/** The address of a Pod in the first family of a Service; undefined if it has none. */
function addressFor(service: Service, pod: PodSummary): EndpointAddress | undefined {
  const [ip] = addressesOf(pod, firstFamily(service, pod));
  if (ip === undefined) return undefined;
  const { namespace, name, uid, node } = pod;
  const hostname = hostnameFor(pod, service);
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    ...(node !== '' && { nodeName: node }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

function firstFamily({ spec = {} }: Service, { addresses }: PodSummary): 'IPv4' | 'IPv6' {
  const [family] = spec.ipFamilies ?? [];
  if (family !== undefined) return family === 'IPv6' ? 'IPv6' : 'IPv4';
  const { clusterIP = '' } = spec;
  return familyOf(clusterIP === '' || clusterIP === 'None' ? (addresses[0] ?? '') : clusterIP);
}

/** The ports of a Service that a Pod has; undefined if it has none, but the Service has. */
function portsFor({ spec = {} }: Service, pod: PodSummary): readonly EndpointPort[] | undefined {
  const { ports = [], clusterIP } = spec;
  if (ports.length === 0) return clusterIP === 'None' ? [] : undefined;
  const found = ports.flatMap((port) => {
    const number = targetPort(pod, port, true);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [
      {
        ...(name !== '' && { name }),
        port: number,
        protocol,
        ...(appProtocol !== undefined && { appProtocol }),
      },
    ];
  });
  return found.length === 0 ? undefined : found;
}

function subset(ports: EndpointPort[], groups: readonly PodGroup[]): EndpointSubset {
  const ready = groups.flatMap((group) => group.ready).sort(compareAddresses);
  const notReady = groups.flatMap((group) => group.notReady).sort(compareAddresses);
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady }),
    ...(ports.length > 0 && {
      ports: ports.sort((one, other) => compare(portKey(one), portKey(other))),
    }),
  };
}

const portKey = ({ name = '', protocol = '', port = 0, appProtocol = '' }: EndpointPort): string =>
  JSON.stringify([name, protocol, port, appProtocol]);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const compareAddresses = (one: EndpointAddress, other: EndpointAddress): number =>
  compare(one.ip ?? '', other.ip ?? '') || compare(one.targetRef?.uid ?? '', other.targetRef?.uid ?? '');
