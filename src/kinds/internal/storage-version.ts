import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
} from '../../model/generated/apiserverinternal-v1alpha1.ts';
import { dns1035Label, dns1123Subdomain, qualifiedName } from '../../model/name-syntax.ts';
import { duplicate, type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { firstOf } from '../tables/format.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts } from '../validation/fields.ts';
import { formatGoStrings } from '../validation/format-value.ts';
import { validateBuiltinFinalizers } from '../validation/object-meta.ts';

/** Validates the name of a stored resource: `<group>.<resource>`. */
function validateName(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [...dns1123Subdomain(name.slice(0, dot)), ...dns1035Label(name.slice(dot + 1))];
}

const MALFORMED_VERSION =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

function validateApiVersion(apiVersion: string, field: string): FieldError[] {
  const texts = apiVersionTexts(apiVersion);
  return texts.length === 0 ? [] : [invalid(field, apiVersion, texts.join(','))];
}

/** Returns the errors of `version` or `group/version`. */
function apiVersionTexts(apiVersion: string): string[] {
  const parts = apiVersion.split('/', 3);
  if (parts.length > 2) return [MALFORMED_VERSION];
  const part = (name: string, value: string, check: (value: string) => string[]): string[] =>
    (value === '' ? ['must be non-empty'] : check(value)).map((text) => `${name} part: ${text}`);
  return [
    ...(parts.length === 2 ? part('group', parts[0]!, dns1123Subdomain) : []),
    ...part('version', parts.at(-1)!, dns1035Label),
  ];
}

function validateServer(
  {
    apiServerID = '',
    encodingVersion = '',
    decodableVersions = [],
    servedVersions = [],
  }: ServerStorageVersion,
  field: string,
): FieldError[] {
  const formatted = formatGoStrings(decodableVersions);
  const decodable = new Set(decodableVersions);
  return [
    ...invalidTexts(`${field}.apiServerID`, apiServerID, dns1123Subdomain(apiServerID)),
    ...validateApiVersion(encodingVersion, `${field}.encodingVersion`),
    ...decodableVersions.flatMap((version, index) =>
      validateApiVersion(version, `${field}.decodableVersions[${index}]`),
    ),
    ...(decodableVersions.includes(encodingVersion)
      ? []
      : [
          invalidFormatted(
            `${field}.decodableVersions`,
            formatted,
            `decodableVersions must include encodingVersion ${encodingVersion}`,
          ),
        ]),
    ...servedVersions.flatMap((version, index) => [
      ...validateApiVersion(version, `${field}.servedVersions[${index}]`),
      ...(decodable.has(version)
        ? []
        : [
            invalid(
              `${field}.servedVersions[${index}]`,
              version,
              `individual served version : ${version} must be included in decodableVersions : [${decodableVersions.join(' ')}]`,
            ),
          ]),
    ]),
  ];
}

/** Validates conditions. Error paths omit the list, as in kube-apiserver. */
function validateConditions(conditions: readonly StorageVersionCondition[]): FieldError[] {
  const latest = new Map<string, number>();
  return conditions.flatMap(({ type = '', status = '', reason = '', message = '' }, index) => {
    const field = `status[${index}]`;
    const before = latest.get(type);
    latest.set(type, index);
    return [
      ...(before === undefined
        ? []
        : [
            invalid(
              `${field}.type`,
              type,
              `the type of the condition is not unique, it also appears in conditions[${before}]`,
            ),
          ]),
      ...invalidTexts(`${field}.type`, type, qualifiedName(type)),
      ...invalidTexts(`${field}.status`, status, qualifiedName(status)),
      ...(reason === '' ? [required(`${field}.reason`, 'reason cannot be empty')] : []),
      ...(message === '' ? [required(`${field}.message`, 'message cannot be empty')] : []),
    ];
  });
}

/** Validates that a common encoding version is set exactly when all servers agree on it. */
function validateStatus({ status = {} }: StorageVersion): FieldError[] {
  const { storageVersions = [], commonEncodingVersion: common, conditions = [] } = status;
  const [first] = storageVersions;
  const repeated = findDuplicates(storageVersions, ({ apiServerID }) => apiServerID);
  const agreed =
    first !== undefined &&
    storageVersions.every(({ encodingVersion }) => encodingVersion === first.encodingVersion)
      ? first.encodingVersion
      : undefined;
  const field = 'status.commonEncodingVersion';
  return [
    ...storageVersions.flatMap((server, index) => [
      ...(repeated.has(index)
        ? [duplicate(`status.storageVersions[${index}].apiServerID`, server.apiServerID)]
        : []),
      ...validateServer(server, `status.storageVersions[${index}]`),
    ]),
    ...(common === agreed
      ? []
      : agreed === undefined
        ? [
            invalid(
              field,
              common,
              'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
            ),
          ]
        : [
            invalid(
              field,
              common,
              `the ${common === undefined ? '' : 'actual '}common encoding version is ${agreed}`,
            ),
          ]),
    ...validateConditions(conditions),
  ];
}

export const storageVersionStrategy: Strategy = {
  metadata: {
    validateName,
    allowsUnqualifiedFinalizers: true,
  },
  validate: (object) => [
    ...validateStatus(object as StorageVersion),
    ...validateBuiltinFinalizers(object.metadata?.finalizers, 'metadata.finalizers'),
  ],
  validateSubresource: { status: validateStatus },
  requiresResourceVersion: true,
  status: { updatesMetadata: false },
};

export const storageVersions = defineResource({
  group: 'internal.apiserver.k8s.io',
  versions: ['v1alpha1'],
  resource: 'storageversions',
  kind: 'StorageVersion',
  scope: 'Cluster',
  subresources: ['status'],
  strategy: storageVersionStrategy,
  table: table<StorageVersion>(
    [
      NAME,
      column('CommonEncodingVersion', 'Encoding version that all servers use.'),
      column('StorageVersions', 'Encoding version of each server.'),
      AGE,
    ],
    (object) => [
      nameOf(object),
      object.status?.commonEncodingVersion ?? '<unset>',
      firstOf(
        (object.status?.storageVersions ?? []).map(
          ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
        ),
        3,
        '<unset>',
      ),
      ageOf(object),
    ],
  ),
});
