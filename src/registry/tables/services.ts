import type { Endpoints, Service, ServicePort } from '../../model/generated/core-v1.ts';
import type { EndpointSlice } from '../../model/generated/discovery-v1.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from './define.ts';
import { firstOf, formatLabels, hostPort, orNone } from './format.ts';

/** Formats the addresses and host names of load balancers, sorted and without duplicates. */
export const balancerAddresses = (
  ingress: readonly { ip?: string; hostname?: string }[] | undefined,
): string =>
  [
    ...new Set(
      (ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((address) => address !== ''),
    ),
  ]
    .sort()
    .join(',');

function externalAddress({ spec, status }: Service): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'LoadBalancer': {
      const balancers = balancerAddresses(status?.loadBalancer?.ingress);
      const all = [...(balancers === '' ? [] : [balancers]), ...external].join(',');
      return all === '' ? '<pending>' : all;
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return orNone(external.join(','));
  }
}

const portText = ({ port = 0, nodePort = 0, protocol = '' }: ServicePort): string =>
  nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;

export const services = table<Service>(
  [
    NAME,
    column('Type', 'How the service is exposed.'),
    column('Cluster-IP', 'Address within the cluster.'),
    column('External-IP', 'Addresses outside the cluster.'),
    column('Port(s)', 'Ports, node ports and protocols.'),
    AGE,
    wide('Selector', 'Labels of the pods behind the service.'),
  ],
  (object) => [
    nameOf(object),
    object.spec?.type ?? '',
    orNone(object.spec?.clusterIPs?.[0]),
    externalAddress(object),
    orNone((object.spec?.ports ?? []).map(portText).join(',')),
    ageOf(object),
    formatLabels(object.spec?.selector),
  ],
);

function endpointList({ subsets = [] }: Endpoints): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip = '' }) => ip)
      : ports.flatMap(({ port = 0 }) => addresses.map(({ ip = '' }) => hostPort(ip, port))),
  );
  return firstOf(all, 3, subsets.length === 0 ? '<none>' : '');
}

export const endpoints = table<Endpoints>(
  [NAME, column('Endpoints', 'Addresses and ports that are ready.'), AGE],
  (object) => [nameOf(object), endpointList(object), ageOf(object)],
);

export const endpointSlices = table<EndpointSlice>(
  [
    NAME,
    column('AddressType', 'Type of the addresses.'),
    column('Ports', 'Ports of every endpoint.'),
    column('Endpoints', 'Addresses of the endpoints.'),
    AGE,
  ],
  (object) => [
    nameOf(object),
    object.addressType ?? '',
    firstOf(
      (object.ports ?? []).map(({ name, port }) => (port === undefined ? (name ?? '*') : String(port))),
      3,
      '<unset>',
    ),
    firstOf(
      (object.endpoints ?? []).flatMap(({ addresses = [] }) => addresses),
      3,
      '<unset>',
    ),
    ageOf(object),
  ],
);
