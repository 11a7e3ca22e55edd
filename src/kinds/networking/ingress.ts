import { quote } from '../../errors/quote.ts';
import type { Ingress } from '../../model/generated/networking-v1.ts';
import { invalid } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { balancerAddresses, orNone } from '../tables/format.ts';
import { validateIngress, validateIngressStatus } from './ingress-validation.ts';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

export const ingressStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  validate(object) {
    const annotation = object.metadata?.annotations?.[CLASS_ANNOTATION];
    const name = (object as Ingress).spec?.ingressClassName;
    const contradicts = annotation !== undefined && name !== undefined && annotation !== name;
    return [
      ...validateIngress(object as Ingress, undefined),
      ...(contradicts
        ? [
            invalid(
              `annotations.${CLASS_ANNOTATION}`,
              annotation,
              'must match `ingressClassName` when both are specified',
            ),
          ]
        : []),
    ];
  },
  validateUpdate: (object, old) => validateIngress(object as Ingress, old as Ingress),
  validateSubresource: { status: (object) => validateIngressStatus(object as Ingress) },
  warnings: ({ metadata, spec }: Ingress, old) =>
    old === undefined &&
    metadata?.annotations?.[CLASS_ANNOTATION] !== undefined &&
    spec?.ingressClassName === undefined
      ? [`annotation ${quote(CLASS_ANNOTATION)} is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  managesGeneration: true,
};

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

export const ingresses = defineResource({
  group: 'networking.k8s.io',
  versions: ['v1'],
  resource: 'ingresses',
  kind: 'Ingress',
  shortNames: ['ing'],
  subresources: ['status'],
  storage: { prefix: 'ingress' },
  strategy: ingressStrategy,
  table: table<Ingress>(
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
  ),
});
