import type { Ingress, IngressClass, NetworkPolicy } from '../../model/generated/networking-v1.ts';
import type { IPAddress, ServiceCIDR } from '../../model/generated/networking-v1beta1.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from './define.ts';
import { formatLabelSelector, orNone } from './format.ts';
import { balancerAddresses } from './services.ts';

const MAXIMUM_HOSTS = 3;

/**
 * Formats the first hosts of the rules. The number of omitted entries counts rules, not hosts, as in
 * kube-apiserver.
 */
function hostsOf({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const hosts = rules.map(({ host }) => host ?? '').filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  const text = hosts.slice(0, MAXIMUM_HOSTS).join(',');
  const lastListed = rules.findIndex(({ host }) => host === hosts[MAXIMUM_HOSTS - 1]);
  return hosts.length >= MAXIMUM_HOSTS && lastListed < rules.length - 1
    ? `${text} + ${rules.length - MAXIMUM_HOSTS} more...`
    : text;
}

export const ingresses = table<Ingress>(
  [
    NAME,
    column('Class', 'Ingress class.'),
    column('Hosts', 'Hosts of the rules.'),
    column('Address', 'Addresses of the load balancer.'),
    column('Ports', 'Ports it listens on.'),
    AGE,
  ],
  (object) => [
    nameOf(object),
    orNone(object.spec?.ingressClassName),
    hostsOf(object),
    balancerAddresses(object.status?.loadBalancer?.ingress),
    (object.spec?.tls?.length ?? 0) > 0 ? '80, 443' : '80',
    ageOf(object),
  ],
);

export const ingressClasses = table<IngressClass>(
  [
    NAME,
    column('Controller', 'Controller of the class.'),
    column('Parameters', 'Object with further parameters.'),
    AGE,
  ],
  (object) => {
    const parameters = object.spec?.parameters;
    const kind =
      parameters?.apiGroup === undefined ? parameters?.kind : `${parameters.kind}.${parameters.apiGroup}`;
    return [
      nameOf(object),
      object.spec?.controller ?? '',
      parameters === undefined ? '<none>' : `${kind}/${parameters.name ?? ''}`,
      ageOf(object),
    ];
  },
);

export const networkPolicies = table<NetworkPolicy>(
  [NAME, column('Pod-Selector', 'Labels of the pods it applies to.'), AGE],
  (object) => [nameOf(object), formatLabelSelector(object.spec?.podSelector), ageOf(object)],
);

export const ipAddresses = table<IPAddress>(
  [NAME, column('ParentRef', 'Object that the address belongs to.')],
  (object) => {
    const parent = object.spec?.parentRef;
    if (parent === undefined) return [nameOf(object), '<none>'];
    const resource = parent.group ? `${parent.resource ?? ''}.${parent.group}` : (parent.resource ?? '');
    return [
      nameOf(object),
      [resource.toLowerCase(), parent.namespace, parent.name]
        .filter((part) => part !== undefined && part !== '')
        .join('/'),
    ];
  },
);

export const serviceCidrs = table<ServiceCIDR>([NAME, column('CIDRs', 'Address ranges.'), AGE], (object) => [
  nameOf(object),
  (object.spec?.cidrs ?? []).join(','),
  ageOf(object),
]);
