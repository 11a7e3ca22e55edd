import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
} from '../../model/generated/core-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { dns1123Label, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { firstOf, hostPort } from '../tables/format.ts';
import { addressWarnings } from '../validation/address-warnings.ts';
import { validateLegacyIp } from '../validation/addresses.ts';
import { invalidTexts } from '../validation/fields.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { validateNonSpecialAddress } from '../validation/special-addresses.ts';
import { validateAppProtocol, validatePort } from './port-validation.ts';

function defaultEndpoints(object: KubernetesObject): void {
  for (const { ports } of (object as Endpoints).subsets ?? [])
    for (const port of ports ?? []) port.protocol ||= 'TCP';
}

function validateSubset(
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
  field: string,
  context: RuleContext,
): FieldError[] {
  return [
    ...(addresses.length + notReadyAddresses.length === 0
      ? [required(field, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...checkEach(addresses, { place: field, cost: 2 }, (address, index) =>
      validateAddress(address, `${field}.addresses[${index}]`, context),
    ),
    ...checkEach(notReadyAddresses, { place: field, cost: 2 }, (address, index) =>
      validateAddress(address, `${field}.notReadyAddresses[${index}]`, context),
    ),
    ...checkEach(ports, { place: field, cost: 2 }, (port, index) =>
      validateEndpointPort(port, ports.length > 1, `${field}.ports[${index}]`),
    ),
  ];
}

function validateAddress(
  { ip = '', hostname = '', nodeName }: EndpointAddress,
  field: string,
  context: RuleContext,
): FieldError[] {
  return [
    ...validateLegacyIp(ip, `${field}.ip`, context),
    ...(hostname === '' ? [] : invalidTexts(`${field}.hostname`, hostname, dns1123Label(hostname))),
    // An absent name is allowed, an empty one is invalid.
    ...(nodeName === undefined
      ? []
      : invalidTexts(`${field}.nodeName`, nodeName, dns1123Subdomain(nodeName))),
    ...validateNonSpecialAddress(ip, `${field}.ip`),
  ];
}

const validateEndpointPort = (port: EndpointPort, needsName: boolean, field: string): FieldError[] => [
  ...validatePort(port, { isRequired: needsName }, field),
  ...validateAppProtocol(port.appProtocol, field),
];

const validate = ({ subsets = [] }: Endpoints, context: RuleContext): FieldError[] =>
  checkEach(subsets, { place: 'subsets', cost: 2 }, (subset, index) =>
    validateSubset(subset, `subsets[${index}]`, context),
  );

/** Labels the objects that the controller of endpoints makes, about which nobody is warned. */
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';

function endpointsWarnings({ metadata, subsets = [] }: Endpoints, context: RuleContext): string[] {
  if (metadata?.labels?.[MANAGED_BY] === 'endpoint-controller') return [];
  return checkEach(subsets, { place: 'warnings', cost: 4 }, (subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip = '' }, addressIndex) =>
        addressWarnings(ip, `subsets[${index}].${list}[${addressIndex}].ip`, context),
      ),
    ),
  );
}

export const endpointsStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  defaulting: { byVersion: { v1: defaultEndpoints } },
  validate: (object, context) => validate(object as Endpoints, context),
  // Unchanged subsets are not validated: they may have been stored before a rule existed.
  validateUpdate(object, old, context) {
    const [subsets, oldSubsets] = [object.subsets, old.subsets];
    return semanticEqual({ subsets }, { subsets: oldSubsets }, internalTypes.type('core_v1.Endpoints'))
      ? []
      : validate(object as Endpoints, context);
  },
  warnings: (object, _old, context) => endpointsWarnings(object as Endpoints, context),
  createsOnUpdate: true,
};

function endpointList({ subsets = [] }: Endpoints): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip = '' }) => ip)
      : ports.flatMap(({ port = 0 }) => addresses.map(({ ip = '' }) => hostPort(ip, port))),
  );
  return firstOf(all, 3, subsets.length === 0 ? '<none>' : '');
}

export const endpoints = defineResource({
  group: '',
  versions: [
    { name: 'v1', deprecation: { since: '1.33', replacement: 'discovery.k8s.io/v1 EndpointSlice' } },
  ],
  resource: 'endpoints',
  kind: 'Endpoints',
  shortNames: ['ep'],
  storage: { prefix: 'services/endpoints' },
  strategy: endpointsStrategy,
  table: table<Endpoints>(
    [NAME, column('Endpoints', 'Addresses and ports that are ready.'), AGE],
    (object) => [nameOf(object), endpointList(object), ageOf(object)],
  ),
});
