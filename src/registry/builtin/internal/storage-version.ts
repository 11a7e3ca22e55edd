import type { ServerStorageVersion, StorageVersion } from '../../../model/generated/apiserverinternal-v1alpha1.ts';
import { parseApiVersion } from '../../../model/object.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { dns1035Label, dns1123Label, dns1123Subdomain } from '../../validation/names.ts';
import { repetitions } from '../../validation/repetitions.ts';
import { invalidShown, shownStrings } from '../../validation/shown.ts';

/** `<group>.<resource>`: of a resource that servers store. */
function validateName(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [...dns1123Subdomain(name.slice(0, dot)), ...dns1035Label(name.slice(dot + 1))];
}

function validateApiVersion(apiVersion: string, field: string): FieldError[] {
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  return [
    ...(parsed.group === '' ? [] : invalidTexts(field, apiVersion, dns1123Subdomain(parsed.group))),
    ...invalidTexts(field, apiVersion, dns1035Label(parsed.version)),
  ];
}

function validateServer(
  { apiServerID = '', encodingVersion = '', decodableVersions = [], servedVersions = [] }: ServerStorageVersion,
  field: string,
): FieldError[] {
  const shown = shownStrings(decodableVersions);
  const decodable = new Set(decodableVersions);
  const missing = servedVersions.findIndex((version) => !decodable.has(version));
  return [
    ...invalidTexts(`${field}.apiServerID`, apiServerID, dns1123Label(apiServerID)),
    ...validateApiVersion(encodingVersion, `${field}.encodingVersion`),
    ...decodableVersions.flatMap((version, index) => validateApiVersion(version, `${field}.decodableVersions[${index}]`)),
    ...(decodableVersions.includes(encodingVersion)
      ? []
      : [invalidShown(`${field}.decodableVersions`, shown, `decodableVersions must include encodingVersion ${encodingVersion}`)]),
    ...(missing < 0
      ? []
      : [
          invalid(
            `${field}.servedVersions[${missing}]`,
            servedVersions[missing],
            `individual served version : ${servedVersions[missing]} must be included in decodableVersions : [${decodableVersions.join(' ')}]`,
          ),
        ]),
  ];
}

/** A common encoding is there exactly when all servers agree on it. */
function validateStatus({ status = {} }: StorageVersion): FieldError[] {
  const { storageVersions = [], commonEncodingVersion: common, conditions = [] } = status;
  const [first] = storageVersions;
  const repeated = repetitions(storageVersions, ({ apiServerID }) => apiServerID);
  const agreed =
    first !== undefined && storageVersions.every(({ encodingVersion }) => encodingVersion === first.encodingVersion) ? first.encodingVersion : undefined;
  const field = 'status.commonEncodingVersion';
  return [
    ...storageVersions.flatMap((server, index) => [
      ...(repeated.has(index) ? [duplicate(`status.storageVersions[${index}].apiServerID`, server.apiServerID)] : []),
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
        : [invalid(field, common, `the common encoding version is ${agreed}`)]),
    ...conditions.flatMap(({ type, status: state, reason }, index) =>
      (['type', 'status', 'reason'] as const).flatMap((member) =>
        ({ type, status: state, reason })[member] ? [] : [required(`status.conditions[${index}].${member}`)],
      ),
    ),
  ];
}

export const storageVersionStrategy: Strategy = {
  validateName,
  validate: validateStatus,
  validateUpdate: validateStatus,
  validateSubresource: { status: validateStatus },
  requiresResourceVersion: true,
};
