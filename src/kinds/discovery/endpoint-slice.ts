import type {
  Endpoint,
  EndpointHints,
  EndpointPort,
  EndpointSlice,
} from '../../model/generated/discovery-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import type { Life } from '../../model/life.ts';
import { dns1123Label, dns1123Subdomain, labelValue } from '../../model/name-syntax.ts';
import { type KubernetesObject, nextGeneration } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
  tooMany,
} from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import { PROTOCOLS, validateAppProtocol } from '../core/port-validation.ts';
import { dropGatedFields, type GatedField } from '../gated-fields.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { firstOf } from '../tables/format.ts';
import { addressWarnings } from '../validation/address-warnings.ts';
import {
  ipFamily,
  validateIpv4,
  validateIpv6,
  validateLegacyIp,
  validateStrictIp,
} from '../validation/addresses.ts';
import {
  appendAll,
  invalidTexts,
  validateFullyQualifiedDomainName,
  validateImmutable,
  validateOneOf,
} from '../validation/fields.ts';
import { validateLabels } from '../validation/labels.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validateNonSpecialAddress } from '../validation/special-addresses.ts';

const TYPE = 'discovery_v1.EndpointSlice';
const MAXIMUM_ENDPOINTS = 1000;
const MAXIMUM_ADDRESSES = 100;
const MAXIMUM_PORTS = 20_000;
const MAXIMUM_TOPOLOGY_LABELS = 16;
const MAXIMUM_HINTS = 8;
const HOSTNAME_LABEL = 'kubernetes.io/hostname';
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
/** The releases that check the form of an address before its family, and no endpoints that an update keeps. */
const CHECKS_FORM_FIRST: Life = { since: '1.33' };
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
/** The controllers about whose addresses nobody is warned. */
const CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

const GATED_FIELDS: readonly GatedField<EndpointSlice>[] = [
  {
    since: '1.33',
    gate: 'PreferSameTrafficDistribution',
    member: 'forNodes',
    parents: ({ endpoints = [] }) => endpoints.map(({ hints }) => hints),
  },
];

function defaultEndpointSlice(object: KubernetesObject): void {
  for (const port of (object as EndpointSlice).ports ?? []) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}

/**
 * Drops deprecated topology, which v1 lacks, from new and changed endpoints; unchanged slices keep what is
 * stored.
 */
function dropTopology({ endpoints }: EndpointSlice, old: EndpointSlice | undefined): void {
  if (
    old !== undefined &&
    semanticEqual({ endpoints }, { endpoints: old.endpoints }, internalTypes.type(TYPE))
  )
    return;
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}

function validate(
  { addressType = '', endpoints = [], ports = [] }: EndpointSlice,
  old: EndpointSlice | undefined,
  context: RuleContext,
): FieldError[] {
  const errors: FieldError[] =
    addressType === '' ? [required('addressType')] : validateOneOf(addressType, ADDRESS_TYPES, 'addressType');
  const isKept =
    old !== undefined &&
    context.has(CHECKS_FORM_FIRST) &&
    semanticEqual({ endpoints }, { endpoints: old.endpoints ?? [] }, internalTypes.type(TYPE));
  if (!isKept) appendAll(errors, validateEndpoints(endpoints, addressType, context));
  if (ports.length > MAXIMUM_PORTS) errors.push(tooMany('ports', ports.length, MAXIMUM_PORTS));
  else appendAll(errors, validatePorts(ports));
  return errors;
}

function validateEndpoints(
  endpoints: readonly Endpoint[],
  addressType: string,
  context: RuleContext,
): FieldError[] {
  if (endpoints.length > MAXIMUM_ENDPOINTS)
    return [tooMany('endpoints', endpoints.length, MAXIMUM_ENDPOINTS)];
  return checkEach(endpoints, { place: 'endpoints', cost: 4 }, (endpoint, index) =>
    validateEndpoint(endpoint, addressType, `endpoints[${index}]`, context),
  );
}

function validateEndpoint(
  { addresses = [], deprecatedTopology = {}, nodeName, hostname, hints }: Endpoint,
  addressType: string,
  field: string,
  context: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(`${field}.addresses`, 'must contain at least 1 address'));
  else if (addresses.length > MAXIMUM_ADDRESSES)
    errors.push(tooMany(`${field}.addresses`, addresses.length, MAXIMUM_ADDRESSES));
  else
    appendAll(
      errors,
      checkEach(addresses, { place: field, cost: 2 }, (address, index) =>
        validateAddress(address, addressType, `${field}.addresses`, index, context),
      ),
    );

  if (nodeName !== undefined)
    errors.push(...invalidTexts(`${field}.nodeName`, nodeName, dns1123Subdomain(nodeName)));
  const topology = `${field}.deprecatedTopology`;
  if (Object.keys(deprecatedTopology).length > MAXIMUM_TOPOLOGY_LABELS) {
    errors.push(tooMany(topology, Object.keys(deprecatedTopology).length, MAXIMUM_TOPOLOGY_LABELS));
  }
  appendAll(errors, validateLabels(deprecatedTopology, topology));
  if (Object.hasOwn(deprecatedTopology, HOSTNAME_LABEL))
    errors.push(forbidden(`${topology}[${HOSTNAME_LABEL}]`, 'must not be set, use `nodeName` instead'));
  if (hostname !== undefined)
    errors.push(...invalidTexts(`${field}.hostname`, hostname, dns1123Label(hostname)));
  return [...errors, ...validateHints(hints ?? {}, `${field}.hints`)];
}

function validateAddress(
  address: string,
  addressType: string,
  list: string,
  index: number,
  context: RuleContext,
): FieldError[] {
  const field = `${list}[${index}]`;
  if (addressType === 'FQDN') return validateFullyQualifiedDomainName(address, field);
  const rule = addressType === 'IPv4' ? validateIpv4 : addressType === 'IPv6' ? validateIpv6 : undefined;
  if (rule === undefined) return [];
  if (!context.has(CHECKS_FORM_FIRST))
    return [...rule(address, field), ...validateNonSpecialAddress(address, field)];
  const faults =
    addressType === 'IPv4' ? validateLegacyIp(address, field, context) : validateStrictIp(address, field);
  if (faults.length > 0) return faults;
  return [
    ...(ipFamily(address) === addressType
      ? []
      : [invalid(list, address, `must be an ${addressType} address`)]),
    ...validateNonSpecialAddress(address, field),
  ];
}

/** Validates hints. Names of nodes are validated only if the number of zones is allowed. */
function validateHints({ forZones = [], forNodes = [] }: EndpointHints, field: string): FieldError[] {
  if (forZones.length > MAXIMUM_HINTS) return [tooMany(`${field}.forZones`, forZones.length, MAXIMUM_HINTS)];
  const errors = validateHintNames(forZones, `${field}.forZones`, labelValue);
  return forNodes.length > MAXIMUM_HINTS
    ? [...errors, tooMany(`${field}.forNodes`, forNodes.length, MAXIMUM_HINTS)]
    : [...errors, ...validateHintNames(forNodes, `${field}.forNodes`, dns1123Subdomain)];
}

const validateHintNames = (
  hints: readonly { name?: string }[],
  field: string,
  check: (name: string) => readonly string[],
): FieldError[] =>
  hints.flatMap(({ name = '' }, index) => {
    const repeated = hints.findIndex((hint) => (hint.name ?? '') === name) < index;
    return [
      ...(repeated ? [duplicate(`${field}[${index}].name`, name)] : []),
      ...invalidTexts(`${field}[${index}].name`, name, check(name)),
    ];
  });

function endpointSliceWarnings(
  { metadata, addressType, endpoints = [] }: EndpointSlice,
  old: EndpointSlice | undefined,
  context: RuleContext,
): string[] {
  const warnings =
    old === undefined && addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
  if (CONTROLLERS.includes(metadata?.labels?.[MANAGED_BY] ?? '')) return warnings;
  appendAll(
    warnings,
    checkEach(endpoints, { place: 'warnings', cost: 4 }, ({ addresses = [] }, index) =>
      addresses.flatMap((address, addressIndex) =>
        addressWarnings(address, `endpoints[${index}].addresses[${addressIndex}]`, context),
      ),
    ),
  );
  return warnings;
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const field = `ports[${index}]`;
    const errors = name === '' ? [] : invalidTexts(`${field}.name`, name, dns1123Label(name));
    if (seen.has(name)) errors.push(duplicate(`${field}.name`, name));
    seen.add(name);
    errors.push(
      ...(protocol === undefined
        ? [required(`${field}.protocol`)]
        : validateOneOf(protocol, PROTOCOLS, `${field}.protocol`)),
      ...validateAppProtocol(appProtocol, field),
    );
    return errors;
  });
}

/** Returns whether an update increments the generation: endpoints, ports, address type or labels differ. */
function isChanged(
  { metadata, ...object }: KubernetesObject,
  { metadata: before, ...old }: KubernetesObject,
): boolean {
  return (
    !semanticEqual(object, old, internalTypes.type(TYPE)) ||
    !semanticEqual(metadata?.labels ?? {}, before?.labels ?? {})
  );
}

export const endpointSliceStrategy: Strategy = {
  metadata: { checks: { update: ['whole'] } },
  defaulting: { byVersion: { v1: defaultEndpointSlice } },
  prepareForCreate(object) {
    object.metadata!.generation = 1;
    dropTopology(object as EndpointSlice, undefined);
  },
  prepareForUpdate(object, old) {
    // Compare before dropping topology: its removal counts as a change.
    if (isChanged(object, old)) object.metadata!.generation = nextGeneration(old.metadata?.generation);
    dropTopology(object as EndpointSlice, old as EndpointSlice);
  },
  dropDisabledFields: (object, old, context) =>
    dropGatedFields(GATED_FIELDS, object as EndpointSlice, old as EndpointSlice | undefined, context),
  validate: (object, context) => validate(object as EndpointSlice, undefined, context),
  validateUpdate: (object, old, context) => [
    ...validate(object as EndpointSlice, old as EndpointSlice, context),
    ...validateImmutable(
      (object as EndpointSlice).addressType ?? '',
      (old as EndpointSlice).addressType ?? '',
      'addressType',
    ),
  ],
  warnings: (object, old, context) =>
    endpointSliceWarnings(object as EndpointSlice, old as EndpointSlice | undefined, context),
};

export const endpointSlices = defineResource({
  group: 'discovery.k8s.io',
  versions: ['v1'],
  resource: 'endpointslices',
  kind: 'EndpointSlice',
  strategy: endpointSliceStrategy,
  table: table<EndpointSlice>(
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
      ) || '<unset>',
      firstOf(
        (object.endpoints ?? []).flatMap(({ addresses = [] }) => addresses),
        3,
        '<unset>',
      ),
      ageOf(object),
    ],
  ),
});
