import { quote } from '../../../errors/quote.ts';
import type { Service, ServicePort } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { dns1123Subdomain, portName, portNumber, qualifiedName } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  duplicate,
  duplicateFormatted,
  type FieldError,
  forbidden,
  invalid,
  isValid,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkEach } from '../../../steps/replay.ts';
import { validateIp, validateLegacyCidr, validateLegacyIp } from '../../validation/addresses.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { forbiddenIf, invalidTexts, validateOneOf, validateRequired } from '../../validation/fields.ts';
import { validateLabels } from '../../validation/labels.ts';
import { validateNonSpecialAddress } from '../../validation/special-addresses.ts';
import { type PortNameRule, validateAppProtocol, validatePort } from '../port-validation.ts';
import { validateServiceAddresses } from './service-addresses-validation.ts';
import {
  isExternallyAccessible,
  isExternalName,
  isHeadless,
  isLoadBalancer,
  needsHealthCheckPort,
} from './service-rules.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const TRAFFIC_POLICIES = ['Cluster', 'Local'];
const MAXIMUM_AFFINITY_SECONDS = 86_400;
/** Port of the kubelet API, which a load balancer must not expose. */
const KUBELET_PORT = 10_250;
const LOAD_BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";
const TOPOLOGY_HINTS_ANNOTATION = 'service.kubernetes.io/topology-aware-hints';
const TOPOLOGY_MODE_ANNOTATION = 'service.kubernetes.io/topology-mode';
const SOURCE_RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** Validates a Service after allocation. @param old the Service before an update */
export function validateService(service: Service, context: RuleContext, old?: Service): FieldError[] {
  const { spec = {} } = service;
  return [
    ...validateTopologyAnnotations(service),
    ...(spec.ports?.length || isHeadless(service) || isExternalName(service) ? [] : [required('spec.ports')]),
    ...validateType(service, context),
    ...validatePorts(service),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateAffinity(service),
    ...validateServiceAddresses(service, context, old),
    ...checkEach(spec.externalIPs ?? [], { place: 'externalIPs', cost: 4 }, (address, index) => {
      const field = `spec.externalIPs[${index}]`;
      const malformed = validateLegacyIp(address, field, context, old?.spec?.externalIPs);
      return malformed.length > 0 ? malformed : validateNonSpecialAddress(address, field);
    }),
    ...validateRequired(spec.type, 'spec.type'),
    ...(spec.type ? validateOneOf(spec.type, TYPES, 'spec.type') : []),
    ...validateUniquePorts(service),
    ...validateLoadBalancerFields(service, context, old),
    ...validateTrafficPolicies(service, context),
  ];
}

function validateTopologyAnnotations({ metadata }: Service): FieldError[] {
  const hints = metadata?.annotations?.[TOPOLOGY_HINTS_ANNOTATION];
  const mode = metadata?.annotations?.[TOPOLOGY_MODE_ANNOTATION];
  return hints && mode && hints !== mode
    ? [
        invalid(
          `metadata.annotations[${TOPOLOGY_MODE_ANNOTATION}]`,
          mode,
          `must match annotations[${TOPOLOGY_HINTS_ANNOTATION}] when both are specified`,
        ),
      ]
    : [];
}

/** The releases that keep load balancers from the port of the kubelet. */
const RESERVES_KUBELET_PORT: Life = { until: '1.33' };

function validateType(service: Service, { has }: RuleContext): FieldError[] {
  const { spec = {} } = service;
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') {
    const exposed = isLoadBalancer(service) && has(RESERVES_KUBELET_PORT) ? (spec.ports ?? []) : [];
    return [
      ...exposed.flatMap(({ port }, index) =>
        port === KUBELET_PORT
          ? [
              invalid(
                `spec.ports[${index}]`,
                port,
                `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`,
              ),
            ]
          : [],
      ),
      ...(isHeadless(service)
        ? [invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`)]
        : []),
    ];
  }
  if (!isExternalName(service)) return [];
  const host = (spec.externalName ?? '').replace(/\.$/, '');
  return [
    ...(['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const).flatMap((member) =>
      forbiddenIf(
        (spec[member]?.length ?? 0) > 0,
        `spec.${member}`,
        'may not be set for ExternalName services',
      ),
    ),
    ...(host === ''
      ? [required('spec.externalName')]
      : invalidTexts('spec.externalName', host, dns1123Subdomain(host))),
  ];
}

function validatePorts({ spec }: Service): FieldError[] {
  const ports = spec?.ports ?? [];
  const repeated = findDuplicates(ports, ({ name = '' }) => name);
  return ports.flatMap((port, index) =>
    validateServicePort(
      port,
      { isRequired: ports.length > 1, isRepeated: repeated.has(index) },
      `spec.ports[${index}]`,
    ),
  );
}

/** Node ports need a type that has them; they and the ports are unique for each protocol. */
function validateUniquePorts({ spec = {} }: Service): FieldError[] {
  const { ports = [], type } = spec;
  const identityOf = (port: number | undefined, protocol = ''): string => JSON.stringify([port, protocol]);
  const nodePorts = ports.flatMap(({ nodePort = 0, protocol }, index) =>
    nodePort === 0 ? [] : [{ nodePort, protocol, field: `spec.ports[${index}].nodePort` }],
  );
  const repeatedNodePorts = findDuplicates(nodePorts, ({ nodePort, protocol }) =>
    identityOf(nodePort, protocol),
  );
  const repeatedPorts = findDuplicates(ports, ({ port, protocol }) => identityOf(port, protocol));
  return [
    ...nodePorts.flatMap(({ field }) =>
      forbiddenIf(type === 'ClusterIP', field, "may not be used when `type` is 'ClusterIP'"),
    ),
    ...nodePorts.flatMap(({ nodePort, field }, index) =>
      repeatedNodePorts.has(index) ? [duplicate(field, nodePort)] : [],
    ),
    ...ports.flatMap((port, index) =>
      repeatedPorts.has(index) ? [duplicatePort(port, `spec.ports[${index}]`)] : [],
    ),
  ];
}

const duplicatePort = ({ protocol = '', port = 0 }: ServicePort, field: string): FieldError =>
  duplicateFormatted(
    field,
    `core.ServicePort{Name:"", Protocol:${quote(protocol)}, AppProtocol:(*string)(nil), Port:${port}, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}`,
  );

const validateServicePort = (port: ServicePort, name: PortNameRule, field: string): FieldError[] => [
  ...validatePort(port, name, field),
  ...validateTargetPort(port.targetPort, `${field}.targetPort`),
  ...validateAppProtocol(port.appProtocol, field),
];

const validateTargetPort = (target: ServicePort['targetPort'], field: string): FieldError[] =>
  typeof target === 'string'
    ? invalidTexts(field, target, portName(target))
    : invalidTexts(field, target ?? 0, portNumber(target ?? 0));

function validateAffinity({ spec = {} }: Service): FieldError[] {
  const { sessionAffinity = '', sessionAffinityConfig: config } = spec;
  if (sessionAffinity === '') return [required('spec.sessionAffinity')];
  if (sessionAffinity === 'None')
    return forbiddenIf(
      config !== undefined,
      'spec.sessionAffinityConfig',
      'must not be set when session affinity is None',
    );
  if (sessionAffinity !== 'ClientIP')
    return [notSupported('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None'])];
  const field = 'spec.sessionAffinityConfig';
  const detail = 'when session affinity type is ClientIP';
  if (config === undefined) return [required(field, detail)];
  if (config.clientIP === undefined) return [required(`${field}.clientIP`, detail)];
  const { timeoutSeconds } = config.clientIP;
  if (timeoutSeconds === undefined) return [required(`${field}.clientIP.timeoutSeconds`, detail)];
  if (timeoutSeconds > 0 && timeoutSeconds <= MAXIMUM_AFFINITY_SECONDS) return [];
  return [
    invalid(
      `${field}.clientIP.timeoutSeconds`,
      timeoutSeconds,
      `must be greater than 0 and less than ${MAXIMUM_AFFINITY_SECONDS}`,
    ),
  ];
}

function validateLoadBalancerFields(
  service: Service,
  context: RuleContext,
  old: Service | undefined,
): FieldError[] {
  const { spec = {} } = service;
  const hasLoadBalancer = isLoadBalancer(service);
  return [
    ...validateSourceRanges(service, context, old),
    ...forbiddenIf(
      !hasLoadBalancer && spec.allocateLoadBalancerNodePorts !== undefined,
      'spec.allocateLoadBalancerNodePorts',
      LOAD_BALANCER_ONLY,
    ),
    ...(hasLoadBalancer && spec.allocateLoadBalancerNodePorts === undefined
      ? [required('spec.allocateLoadBalancerNodePorts')]
      : []),
    ...validateLoadBalancerClass(service),
  ];
}

/** Validates the class: a qualified name, of a load balancer only. */
export function validateLoadBalancerClass(service: Service): FieldError[] {
  const name = service.spec?.loadBalancerClass;
  if (name === undefined) return [];
  return isLoadBalancer(service)
    ? invalidTexts('spec.loadBalancerClass', name, qualifiedName(name))
    : [forbidden('spec.loadBalancerClass', LOAD_BALANCER_ONLY)];
}

/** Validates the source ranges of the field or, when it is empty, of the legacy annotation. */
function validateSourceRanges(
  service: Service,
  context: RuleContext,
  old: Service | undefined,
): FieldError[] {
  const ranges = service.spec?.loadBalancerSourceRanges ?? [];
  const annotation = service.metadata?.annotations?.[SOURCE_RANGES_ANNOTATION];
  if (ranges.length > 0) {
    // kube-apiserver capitalizes the member in this path.
    const field = 'spec.LoadBalancerSourceRanges';
    const stored = old?.spec?.loadBalancerSourceRanges?.map((range) => range.trim());
    return [
      ...forbiddenIf(!isLoadBalancer(service), field, LOAD_BALANCER_ONLY),
      ...checkEach(ranges, { place: 'ranges', cost: 4 }, (range, index) =>
        // Spaces around a range have always been valid.
        validateLegacyCidr(range.trim(), `${field}[${index}]`, context, stored),
      ),
    ];
  }
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${SOURCE_RANGES_ANNOTATION}]`;
  const isStored = old?.metadata?.annotations?.[SOURCE_RANGES_ANNOTATION] === annotation;
  return [
    ...forbiddenIf(!isLoadBalancer(service), field, LOAD_BALANCER_ONLY),
    ...(isStored || annotation.trim() === ''
      ? []
      : annotation.split(',').flatMap((range) => validateLegacyCidr(range.trim(), field, context))),
  ];
}

/** The feature gate of distributions that name what they prefer. */
const NAMED_DISTRIBUTIONS = 'PreferSameTrafficDistribution';

function validateTrafficPolicies(service: Service, { isOn }: RuleContext): FieldError[] {
  const {
    externalTrafficPolicy = '',
    internalTrafficPolicy,
    healthCheckNodePort = 0,
    trafficDistribution,
  } = service.spec ?? {};
  const errors: FieldError[] = [];
  const external = 'spec.externalTrafficPolicy';
  if (!isExternallyAccessible(service)) {
    if (externalTrafficPolicy !== '')
      errors.push(
        invalid(external, externalTrafficPolicy, 'may only be set for externally-accessible services'),
      );
  } else if (externalTrafficPolicy === '') errors.push(required(external));
  else errors.push(...validateOneOf(externalTrafficPolicy, TRAFFIC_POLICIES, external));

  const health = 'spec.healthCheckNodePort';
  if (needsHealthCheckPort(service)) {
    errors.push(
      ...(healthCheckNodePort === 0
        ? [required(health)]
        : invalidTexts(health, healthCheckNodePort, portNumber(healthCheckNodePort))),
    );
  } else if (healthCheckNodePort !== 0) {
    errors.push(
      invalid(
        health,
        healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  }

  if (internalTrafficPolicy !== undefined)
    errors.push(...validateOneOf(internalTrafficPolicy, TRAFFIC_POLICIES, 'spec.internalTrafficPolicy'));
  else if (!isExternalName(service) && TYPES.includes(service.spec?.type ?? ''))
    errors.push(required('spec.internalTrafficPolicy'));
  if (trafficDistribution !== undefined)
    errors.push(
      ...validateOneOf(
        trafficDistribution,
        isOn(NAMED_DISTRIBUTIONS) ? ['PreferClose', 'PreferSameZone', 'PreferSameNode'] : ['PreferClose'],
        'spec.trafficDistribution',
      ),
    );
  return errors;
}

/** Validates the ingress points in the load balancer status. */
export function validateServiceStatus(service: Service, old: Service, context: RuleContext): FieldError[] {
  const stored = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  if (!isLoadBalancer(service) && ingress.length > 0)
    return [forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")];
  return ingress.flatMap(({ ip = '', hostname = '', ipMode }, index) => {
    const field = `status.loadBalancer.ingress[${index}]`;
    const errors = ip === '' ? [] : validateLegacyIp(ip, `${field}.ip`, context, stored);
    if (ip !== '' && ipMode === undefined)
      errors.push(required(`${field}.ipMode`, 'must be specified when `ip` is set'));
    else if (ip === '' && ipMode !== undefined)
      errors.push(forbidden(`${field}.ipMode`, 'may not be specified when `ip` is not set'));
    else if (ipMode !== undefined) errors.push(...validateOneOf(ipMode, ['Proxy', 'VIP'], `${field}.ipMode`));
    return [...errors, ...validateLoadBalancerHostname(hostname, `${field}.hostname`)];
  });
}

/** Validates the hostname of an ingress point of a Service or Ingress. */
export function validateLoadBalancerHostname(hostname: string, field: string): FieldError[] {
  if (hostname === '') return [];
  const errors = invalidTexts(field, hostname, dns1123Subdomain(hostname));
  if (isValid(() => validateIp(hostname, field)))
    errors.push(invalid(field, hostname, 'must be a DNS name, not an IP address'));
  return errors;
}
