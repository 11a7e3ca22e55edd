import type { KubernetesObject, RawJson } from '../../../model/object.ts';
import { type FieldError, required } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { IMMUTABLE, validateNonNegative } from '../../validation/fields.ts';
import { invalidShown } from '../../validation/shown.ts';

interface ControllerRevision extends KubernetesObject {
  data?: RawJson;
  revision?: number;
}

function validate({ data, revision }: ControllerRevision): FieldError[] {
  return [...(data === undefined ? [required('data', 'data is mandatory')] : []), ...validateNonNegative(revision, 'revision')];
}

/** More bytes of data than anybody reads in an error are left out. */
const MAXIMUM_SHOWN = 1024;

function validateUnchanged({ data }: ControllerRevision, old: ControllerRevision): FieldError[] {
  if (data?.text === old.data?.text) return [];
  const bytes = [...Buffer.from(data?.text ?? '').subarray(0, MAXIMUM_SHOWN)].map((byte) => `0x${byte.toString(16)}`);
  const shown = `runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8{${bytes.join(', ')}}, ContentEncoding:"", ContentType:"application/json"}`;
  return [invalidShown('data', data === undefined ? '"null"' : shown, IMMUTABLE)];
}

export const controllerRevisionStrategy: Strategy = {
  validate,
  validateUpdate: (object: ControllerRevision, old: ControllerRevision) => [...validateUnchanged(object, old), ...validate(object)],
};
