import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressTLS,
} from '../../model/generated/networking-v1.ts';
import {
  dns1123Subdomain,
  nameIsDns1035Label,
  portName,
  portNumber,
  wildcardSubdomain,
} from '../../model/name-syntax.ts';
import {
  type FieldError,
  invalid,
  invalidFormatted,
  isValid,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { validateLoadBalancerHostname } from '../core/services/service-validation.ts';
import { ipFamily, validateIp } from '../validation/addresses.ts';
import { invalidTexts } from '../validation/fields.ts';
import { formatGo } from '../validation/go-value.ts';
import { validateTypedReference } from './typed-reference.ts';

const FORBIDDEN_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDINGS = ['/..', '/.'];

/** @param old stored object; updates may keep its invalid secret names and wildcard rules */
export function validateIngress({ spec = {} }: Ingress, old: Ingress | undefined): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  const errors: FieldError[] = [];
  if (rules.length === 0 && defaultBackend === undefined) {
    errors.push(
      invalidFormatted(
        'spec',
        formatGo('[]networking.IngressRule', spec.rules),
        'either `defaultBackend` or `rules` must be specified',
      ),
    );
  }
  if (defaultBackend !== undefined) errors.push(...validateBackend(defaultBackend, 'spec.defaultBackend'));
  const toleratesSecrets = (old?.spec?.tls ?? []).some(
    ({ secretName = '' }) => !isValid(() => validateSecretName(secretName, '')),
  );
  const toleratesWildcards = (old?.spec?.rules ?? []).some(
    (rule) => rule.host?.includes('*') && !isValid(() => validateRuleValue(rule, '')),
  );
  return [
    ...errors,
    ...rules.flatMap((rule, index) => validateRule(rule, toleratesWildcards, `spec.rules[${index}]`)),
    ...tls.flatMap((entry, index) => validateTls(entry, toleratesSecrets, `spec.tls[${index}]`)),
    ...(ingressClassName === undefined
      ? []
      : invalidTexts('spec.ingressClassName', ingressClassName, dns1123Subdomain(ingressClassName))),
  ];
}

const hostTexts = (host: string): string[] =>
  host.includes('*') ? wildcardSubdomain(host) : dns1123Subdomain(host);

function validateRule(rule: IngressRule, toleratesWildcards: boolean, field: string): FieldError[] {
  const { host = '' } = rule;
  const errors: FieldError[] = [];
  if (host !== '') {
    if (ipFamily(host) !== undefined)
      errors.push(invalid(`${field}.host`, host, 'must be a DNS name, not an IP address'));
    errors.push(...invalidTexts(`${field}.host`, host, hostTexts(host)));
  }
  if (host.includes('*') && toleratesWildcards) return errors;
  return [...errors, ...validateRuleValue(rule, field)];
}

function validateRuleValue({ http }: IngressRule, field: string): FieldError[] {
  if (http === undefined) return [];
  const paths = http.paths ?? [];
  if (paths.length === 0) return [required(`${field}.http.paths`)];
  return paths.flatMap((path, index) => validatePath(path, `${field}.http.paths[${index}]`));
}

function validatePath({ path = '', pathType, backend = {} }: HTTPIngressPath, field: string): FieldError[] {
  if (pathType === undefined) return [required(`${field}.pathType`, 'pathType must be specified')];
  const errors: FieldError[] = [];
  const wrong = (detail: string): void => void errors.push(invalid(`${field}.path`, path, detail));
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) wrong('must be an absolute path');
    for (const sequence of FORBIDDEN_SEQUENCES)
      if (path.includes(sequence)) wrong(`must not contain '${sequence}'`);
    for (const ending of FORBIDDEN_ENDINGS) if (path.endsWith(ending)) wrong(`cannot end with '${ending}'`);
  } else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) wrong('must be an absolute path');
  } else
    errors.push(notSupported(`${field}.pathType`, pathType, ['Exact', 'ImplementationSpecific', 'Prefix']));
  return [...errors, ...validateBackend(backend, `${field}.backend`)];
}

function validateBackend({ service, resource }: IngressBackend, field: string): FieldError[] {
  if (resource !== undefined) {
    return service === undefined
      ? validateTypedReference(resource, `${field}.resource`)
      : [invalid(field, '', 'cannot set both resource and service backends')];
  }
  if (service === undefined) return [invalid(field, '', 'resource or service backend is required')];
  const { name = '', port: { name: namedPort = '', number = 0 } = {} } = service;
  const errors =
    name === ''
      ? [required(`${field}.service.name`)]
      : invalidTexts(`${field}.service.name`, name, nameIsDns1035Label(name, false));
  if (namedPort !== '' && number !== 0)
    errors.push(invalid(field, '', 'cannot set both port name & port number'));
  else if (namedPort !== '')
    errors.push(...invalidTexts(`${field}.service.port.name`, namedPort, portName(namedPort)));
  else if (number !== 0)
    errors.push(...invalidTexts(`${field}.service.port.number`, number, portNumber(number)));
  else errors.push(required(field, 'port name or number is required'));
  return errors;
}

const validateSecretName = (name: string, field: string): FieldError[] =>
  name === '' ? [] : invalidTexts(field, name, dns1123Subdomain(name));

const validateTls = (
  { hosts = [], secretName = '' }: IngressTLS,
  toleratesSecrets: boolean,
  field: string,
): FieldError[] => [
  ...hosts.flatMap((host, index) => invalidTexts(`${field}.hosts[${index}]`, host, hostTexts(host))),
  ...(toleratesSecrets ? [] : validateSecretName(secretName, `${field}.secretName`)),
];

export const validateIngressStatus = ({ status }: Ingress): FieldError[] =>
  (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '', hostname = '' }, index) => {
    const field = `status.loadBalancer.ingress[${index}]`;
    return [
      ...(ip === '' ? [] : validateIp(ip, `${field}.ip`)),
      ...validateLoadBalancerHostname(hostname, `${field}.hostname`),
    ];
  });
