import type { KubernetesObject, RawJson } from '../../../model/object.ts';
import { type FieldError, required } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { validateImmutable, validateNonNegative } from '../../validation/fields.ts';

interface ControllerRevision extends KubernetesObject {
  data?: RawJson;
  revision?: number;
}

function validate({ data, revision }: ControllerRevision): FieldError[] {
  return [...(data === undefined ? [required('data', 'data is mandatory')] : []), ...validateNonNegative(revision, 'revision')];
}

export const controllerRevisionStrategy: Strategy = {
  validate,
  validateUpdate: (object: ControllerRevision, old: ControllerRevision) => [...validateImmutable(object.data, old.data, 'data'), ...validate(object)],
};
