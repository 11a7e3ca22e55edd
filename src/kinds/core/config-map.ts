import type { ConfigMap } from '../../model/generated/core-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { configMapKey } from '../../model/name-syntax.ts';
import { trimEnd } from '../../model/trim-end.ts';
import { type FieldError, forbidden, invalid, tooLong } from '../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../steps/replay.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { size } from '../tables/format.ts';
import { appendAll, invalidTexts } from '../validation/fields.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

/** Maximum total size of the values of a ConfigMap or Secret, in bytes. */
export const MAXIMUM_DATA_BYTES = 1024 * 1024;
const IMMUTABLE = 'field is immutable when `immutable` is set';

/** Returns the decoded length of standard base64 text, in bytes. */
export const base64Length = (text: string): number => Math.floor((trimEnd(text, '=').length * 3) / 4);

/** Returns the total size of the values of a ConfigMap or Secret, in bytes; validation can pause between them. */
export function sizeOfData(data: Record<string, string>, sizeOf: (value: string) => number): number {
  // Reading the values of a very large map one by one is several times faster than Object.values.
  const sizes = resultsOfEach(data, { place: 'size', cost: 0.25, items: () => Object.keys(data) }, (key) =>
    sizeOf(data[key]!),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors = checkEach(data, { place: 'data', items: () => Object.keys(data) }, (key) => [
    ...invalidTexts(`data[${key}]`, key, configMapKey(key)),
    ...(Object.hasOwn(binaryData, key)
      ? [invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')]
      : []),
  ]);
  const binaryErrors = checkEach(
    binaryData,
    { place: 'binaryData', items: () => Object.keys(binaryData) },
    (key) => invalidTexts(`binaryData[${key}]`, key, configMapKey(key)),
  );
  appendAll(errors, binaryErrors);
  const size = sizeOfData(data, Buffer.byteLength) + sizeOfData(binaryData, base64Length);
  if (size > MAXIMUM_DATA_BYTES) errors.push(tooLong('[]', MAXIMUM_DATA_BYTES));
  return errors;
}

/**
 * Rejects changes of an object stored with `immutable: true`.
 * @param type message type of the kind
 * @param members members that hold data
 */
export function validateImmutableData<T extends { immutable?: boolean | undefined }>(
  object: T,
  old: T,
  type: string,
  members: readonly (keyof T & string)[],
): FieldError[] {
  if (old.immutable !== true) return [];
  return [
    ...(object.immutable === true ? [] : [forbidden('immutable', IMMUTABLE)]),
    ...members
      .filter(
        (member) =>
          (object[member] === undefined) !== (old[member] === undefined) ||
          !semanticEqual({ [member]: object[member] }, { [member]: old[member] }, internalTypes.type(type)),
      )
      .map((member) => forbidden(member, IMMUTABLE)),
  ];
}

/** Absent data is empty by default; binary data has no default. */
const withData = (object: ConfigMap): ConfigMap => ({ ...object, data: object.data ?? {} });

export const configMapStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  validate: (object) => validateConfigMap(object as ConfigMap),
  validateUpdate: (object, old) => [
    ...validateImmutableData(withData(object as ConfigMap), withData(old as ConfigMap), 'core_v1.ConfigMap', [
      'data',
      'binaryData',
    ]),
    ...validateConfigMap(object as ConfigMap),
  ],
};

export const configMaps = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'configmaps',
  kind: 'ConfigMap',
  shortNames: ['cm'],
  strategy: configMapStrategy,
  table: table<ConfigMap>([NAME, column('Data', 'Number of entries.'), AGE], (object) => [
    nameOf(object),
    size(object.data) + size(object.binaryData),
    ageOf(object),
  ]),
});
