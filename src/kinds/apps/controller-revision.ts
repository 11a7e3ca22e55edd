import type { ControllerRevision } from '../../model/generated/apps-v1.ts';
import { parseApiVersion, type RawJson } from '../../model/object.ts';
import { type FieldError, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { IMMUTABLE, validateNonNegative } from '../validation/fields.ts';

const isJsonObject = ({ text }: RawJson): boolean => text.trimStart().startsWith('{');

function validateData({ data }: ControllerRevision): FieldError[] {
  if (data === undefined || data.text === 'null') return [required('data', 'data is mandatory')];
  return isJsonObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

/** Maximum bytes of data in an error; the rest is omitted. */
const MAXIMUM_FORMATTED_BYTES = 1024;

/** Rejects a change of the data. Unchanged data is not validated on update. */
function validateUnchanged({ data }: ControllerRevision, old: ControllerRevision): FieldError[] {
  if (data?.text === old.data?.text) return [];
  const bytes = [...Buffer.from(data?.text ?? '').subarray(0, MAXIMUM_FORMATTED_BYTES)].map(
    (byte) => `0x${byte.toString(16)}`,
  );
  const raw = data === undefined ? '[]uint8(nil)' : `[]uint8{${bytes.join(', ')}}`;
  return [
    invalidFormatted('data', `runtime.RawExtension{Raw:${raw}, Object:runtime.Object(nil)}`, IMMUTABLE),
  ];
}

export const controllerRevisionStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  validate: (object: ControllerRevision) => [
    ...validateData(object),
    ...validateNonNegative(object.revision, 'revision'),
  ],
  validateUpdate: (object: ControllerRevision, old: ControllerRevision) => [
    ...validateNonNegative(object.revision, 'revision'),
    ...validateUnchanged(object, old),
  ],
};

/** Formats the controlling owner reference as `kind.group/name`. */
function controllerOf({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = parseApiVersion(owner.apiVersion)?.group ?? '';
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`;
}

export const controllerRevisions = defineResource({
  group: 'apps',
  versions: ['v1'],
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
  strategy: controllerRevisionStrategy,
  table: table<ControllerRevision>(
    [
      NAME,
      column('Controller', 'Controller that owns the revision.'),
      column('Revision', 'Number of the revision.'),
      AGE,
    ],
    (object) => [nameOf(object), controllerOf(object), Number(object.revision ?? 0), ageOf(object)],
  ),
});
