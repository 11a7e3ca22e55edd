import type { Endpoint, EndpointPort, EndpointSlice } from '../../model/generated/discovery-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { dns1123Label, dns1123Subdomain, labelValue } from '../../model/name-syntax.ts';
import { type KubernetesObject, nextGeneration } from '../../model/object.ts';
import { duplicate, type FieldError, forbidden, required, tooMany } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import { PROTOCOLS, validateAppProtocol } from '../core/port-validation.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { firstOf } from '../tables/format.ts';
import { validateIpv4, validateIpv6 } from '../validation/addresses.ts';
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
const MAXIMUM_ZONE_HINTS = 8;
const HOSTNAME_LABEL = 'kubernetes.io/hostname';
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];

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

function validate({ addressType = '', endpoints = [], ports = [] }: EndpointSlice): FieldError[] {
  const errors: FieldError[] =
    addressType === '' ? [required('addressType')] : validateOneOf(addressType, ADDRESS_TYPES, 'addressType');
  if (endpoints.length > MAXIMUM_ENDPOINTS)
    errors.push(tooMany('endpoints', endpoints.length, MAXIMUM_ENDPOINTS));
  else
    appendAll(
      errors,
      checkEach(endpoints, { place: 'endpoints', cost: 4 }, (endpoint, index) =>
        validateEndpoint(endpoint, addressType, `endpoints[${index}]`),
      ),
    );
  if (ports.length > MAXIMUM_PORTS) errors.push(tooMany('ports', ports.length, MAXIMUM_PORTS));
  else appendAll(errors, validatePorts(ports));
  return errors;
}

function validateEndpoint(
  { addresses = [], deprecatedTopology = {}, nodeName, hostname, hints }: Endpoint,
  addressType: string,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(`${field}.addresses`, 'must contain at least 1 address'));
  else if (addresses.length > MAXIMUM_ADDRESSES)
    errors.push(tooMany(`${field}.addresses`, addresses.length, MAXIMUM_ADDRESSES));
  else
    appendAll(
      errors,
      checkEach(addresses, { place: field, cost: 2 }, (address, index) =>
        validateAddress(address, addressType, `${field}.addresses[${index}]`),
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
  return [...errors, ...validateHints(hints?.forZones ?? [], `${field}.hints.forZones`)];
}

function validateAddress(address: string, addressType: string, field: string): FieldError[] {
  if (addressType === 'FQDN') return validateFullyQualifiedDomainName(address, field);
  const rule = addressType === 'IPv4' ? validateIpv4 : addressType === 'IPv6' ? validateIpv6 : undefined;
  if (rule === undefined) return [];
  return [...rule(address, field), ...validateNonSpecialAddress(address, field)];
}

function validateHints(zones: readonly { name?: string }[], field: string): FieldError[] {
  if (zones.length > MAXIMUM_ZONE_HINTS) return [tooMany(field, zones.length, MAXIMUM_ZONE_HINTS)];
  return zones.flatMap(({ name = '' }, index) => {
    const repeated = zones.findIndex((zone) => (zone.name ?? '') === name) < index;
    return [
      ...(repeated ? [duplicate(`${field}[${index}].name`, name)] : []),
      ...invalidTexts(`${field}[${index}].name`, name, labelValue(name)),
    ];
  });
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
  validate: (object) => validate(object as EndpointSlice),
  validateUpdate: (object, old) => [
    ...validate(object as EndpointSlice),
    ...validateImmutable(
      (object as EndpointSlice).addressType ?? '',
      (old as EndpointSlice).addressType ?? '',
      'addressType',
    ),
  ],
  warnings: ({ addressType }: EndpointSlice, old) =>
    old === undefined && addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
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
  descriptions: {
    EndpointSlice: 'Subset of the endpoints of a service.',
    'EndpointSlice.addressType': 'Type of the addresses: IPv4, IPv6 or FQDN.',
    'EndpointSlice.endpoints': 'Endpoints of the slice.',
    'EndpointSlice.ports': 'Ports of all endpoints of the slice.',
  },
});
