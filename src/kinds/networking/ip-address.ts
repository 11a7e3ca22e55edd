import { canonicalIpv6 } from '../../addresses/address.ts';
import { parseNetipAddress } from '../../addresses/netip.ts';
import type { IPAddress, ParentReference } from '../../model/generated/networking-v1beta1.ts';
import { dns1123Subdomain, nameIsPathSegment } from '../../model/name-syntax.ts';
import { type FieldError, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { IMMUTABLE, invalidTexts } from '../validation/fields.ts';
import { formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

const FIELD = 'spec.parentRef';

/** Validates that the name is an IP address in canonical form. */
function validateName(name: string): string[] {
  const parsed = parseNetipAddress(name);
  if (typeof parsed === 'string') return [parsed];
  return canonicalIpv6(name) === name ? [] : ['must be a canonical format IP address'];
}

function validate({ spec }: IPAddress): FieldError[] {
  const { parentRef } = spec ?? {};
  if (parentRef === undefined) return [required(FIELD)];
  const { group = '', resource = '', namespace = '', name = '' } = parentRef;
  const segment = (value: string, member: string): FieldError[] =>
    invalidTexts(`${FIELD}.${member}`, value, nameIsPathSegment(value, false));
  return [
    ...(group === '' ? [] : invalidTexts(`${FIELD}.group`, group, dns1123Subdomain(group))),
    ...(resource === '' ? [required(`${FIELD}.resource`)] : segment(resource, 'resource')),
    ...(name === '' ? [required(`${FIELD}.name`)] : segment(name, 'name')),
    ...(namespace === '' ? [] : segment(namespace, 'namespace')),
  ];
}

const formatReference = ({ group, resource, namespace, name }: ParentReference): string =>
  formatGoStruct('networking.ParentReference', {
    Group: formatGoText(group),
    Resource: formatGoText(resource),
    Namespace: formatGoText(namespace),
    Name: formatGoText(name),
  });

function validateUpdate(object: IPAddress, old: IPAddress): FieldError[] {
  const { parentRef } = object.spec ?? {};
  const same = semanticEqual(parentRef, old.spec?.parentRef);
  return [
    ...validate(object),
    ...(same
      ? []
      : [
          invalidFormatted(FIELD, parentRef === undefined ? '"null"' : formatReference(parentRef), IMMUTABLE),
        ]),
  ];
}

export const ipAddressStrategy: Strategy = {
  metadata: {
    usesGenerateNameAsName: true,
    validateName,
    checks: { update: ['change', 'whole'] },
  },
  validate: (object) => validate(object as IPAddress),
  validateUpdate: (object, old) => validateUpdate(object as IPAddress, old as IPAddress),
};

export const ipAddresses = defineResource({
  group: 'networking.k8s.io',
  versions: [
    { name: 'v1', since: '1.33' },
    { name: 'v1beta1', until: '1.37', deprecation: { since: '1.34', unavailable: '1.37' } },
  ],
  resource: 'ipaddresses',
  kind: 'IPAddress',
  shortNames: ['ip'],
  scope: 'Cluster',
  strategy: ipAddressStrategy,
  table: table<IPAddress>([NAME, column('ParentRef', 'Object that the address belongs to.')], (object) => {
    const parent = object.spec?.parentRef;
    // The cell of the age has no column, as in kube-apiserver.
    if (parent === undefined) return [nameOf(object), '<none>', ageOf(object)];
    const resource = parent.group ? `${parent.resource ?? ''}.${parent.group}` : (parent.resource ?? '');
    return [
      nameOf(object),
      [resource.toLowerCase(), parent.namespace, parent.name]
        .filter((part) => part !== undefined && part !== '')
        .join('/'),
      ageOf(object),
    ];
  }),
});
