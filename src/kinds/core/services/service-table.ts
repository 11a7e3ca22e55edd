import type { Service, ServicePort } from '../../../model/generated/core-v1.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from '../../tables/define.ts';
import { balancerAddresses, formatLabels, orNone } from '../../tables/format.ts';

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
    case 'ClusterIP':
    case 'NodePort':
      return orNone(external.join(','));
    default:
      return '<unknown>';
  }
}

const portText = ({ port = 0, nodePort = 0, protocol = '' }: ServicePort): string =>
  nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;

export const serviceTable = table<Service>(
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
