import type { AddressRange } from '../../addresses/ip-address.ts';
import { containsRange } from '../../addresses/range.ts';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../../model/generated/networking-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { portName, portNumber } from '../../model/name-syntax.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { type FieldError, forbidden, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { checkEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { labelSelectorCell } from '../tables/format.ts';
import { parseCidr, validateCidr } from '../validation/addresses.ts';
import { exactlyEqual } from '../validation/exactly-equal.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { formatGoStrings } from '../validation/format-value.ts';
import { validateLabelSelector } from '../validation/labels.ts';

const POLICY_TYPES = ['Ingress', 'Egress'];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

/** Returns the rules of both directions with their peers and paths. */
const directions = ({ spec = {} }: NetworkPolicy) => [
  ...(spec.ingress ?? []).map(({ ports = [], from = [] }, index) => ({
    field: `spec.ingress[${index}]`,
    ports,
    peers: from,
    member: 'from',
  })),
  ...(spec.egress ?? []).map(({ ports = [], to = [] }, index) => ({
    field: `spec.egress[${index}]`,
    ports,
    peers: to,
    member: 'to',
  })),
];

function defaultNetworkPolicy(object: KubernetesObject): void {
  const policy = object as NetworkPolicy;
  for (const { ports } of directions(policy)) for (const port of ports) port.protocol ??= 'TCP';
  policy.spec ??= {};
  const { spec } = policy;
  if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? [...POLICY_TYPES] : ['Ingress'];
}

function validate(policy: NetworkPolicy): FieldError[] {
  const { podSelector, policyTypes = [] } = policy.spec ?? {};
  return [
    ...validateLabelSelector(podSelector, 'spec.podSelector'),
    ...directions(policy).flatMap(({ field, ports, peers, member }) => [
      ...checkEach(ports, { place: 'ports', cost: 2 }, (port, index) =>
        validatePort(port, `${field}.ports[${index}]`),
      ),
      ...checkEach(peers, { place: 'peers', cost: 4 }, (peer, index) =>
        validatePeer(peer, `${field}.${member}[${index}]`),
      ),
    ]),
    ...(policyTypes.length > POLICY_TYPES.length
      ? [
          invalidFormatted(
            'spec.policyTypes',
            formatGoStrings(policyTypes).replace('[]string', '[]networking.PolicyType'),
            'may not specify more than two policyTypes',
          ),
        ]
      : policyTypes.flatMap((type, index) =>
          validateOneOf(type, POLICY_TYPES, `spec.policyTypes[${index}]`),
        )),
  ];
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, field: string): FieldError[] {
  const errors = protocol === undefined ? [] : validateOneOf(protocol, PROTOCOLS, `${field}.protocol`);
  const unusable = (reason: string): FieldError[] =>
    endPort === undefined
      ? []
      : [invalid(`${field}.endPort`, endPort, `may not be specified when \`port\` is ${reason}`)];
  if (port === undefined) return [...errors, ...unusable('not specified')];
  if (typeof port === 'string')
    return [...errors, ...unusable('non-numeric'), ...invalidTexts(`${field}.port`, port, portName(port))];
  errors.push(...invalidTexts(`${field}.port`, port, portNumber(port)));
  if (endPort === undefined) return errors;
  if (endPort < port)
    errors.push(invalid(`${field}.endPort`, port, 'must be greater than or equal to `port`'));
  return [...errors, ...invalidTexts(`${field}.endPort`, endPort, portNumber(endPort))];
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  field: string,
): FieldError[] {
  const count = [podSelector, namespaceSelector, ipBlock].filter((part) => part !== undefined).length;
  return [
    ...validateLabelSelector(podSelector, `${field}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
    ...(ipBlock === undefined ? [] : validateBlock(ipBlock, `${field}.ipBlock`)),
    ...(count === 0 ? [required(field, 'must specify a peer')] : []),
    ...(count > 1 && ipBlock !== undefined
      ? [forbidden(field, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function validateBlock({ cidr = '', except = [] }: IPBlock, field: string): FieldError[] {
  if (cidr === '') return [required(`${field}.cidr`)];
  const malformed = validateCidr(cidr, `${field}.cidr`);
  if (malformed.length > 0) return malformed;
  const range = parseCidr(cidr)!;
  return checkEach(except, { place: field, cost: 4 }, (part, index) => {
    const place = `${field}.except[${index}]`;
    const errors = validateCidr(part, place);
    if (errors.length > 0 || isStrictSubset(parseCidr(part)!, range)) return errors;
    return [invalid(place, part, 'must be a strict subset of `cidr`')];
  });
}

const isStrictSubset = (inner: AddressRange, outer: AddressRange): boolean =>
  inner.prefix > outer.prefix && containsRange(outer, inner);

export const networkPolicyStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'change'] } },
  defaulting: { byVersion: { v1: defaultNetworkPolicy } },
  validate: (object) => validate(object as NetworkPolicy),
  validateUpdate: (object) => validate(object as NetworkPolicy),
  managesGeneration: true,
  generationChanged: (object, old) =>
    !exactlyEqual(object.spec, old.spec, internalTypes.type('networking_v1.NetworkPolicySpec')),
};

export const networkPolicies = defineResource({
  group: 'networking.k8s.io',
  versions: ['v1'],
  resource: 'networkpolicies',
  kind: 'NetworkPolicy',
  shortNames: ['netpol'],
  strategy: networkPolicyStrategy,
  table: table<NetworkPolicy>(
    [NAME, column('Pod-Selector', 'Labels of the pods it applies to.'), AGE],
    (object) => [nameOf(object), labelSelectorCell(object.spec?.podSelector), ageOf(object)],
  ),
});
