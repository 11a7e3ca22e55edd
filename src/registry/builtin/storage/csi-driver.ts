import type { CSIDriver, TokenRequest } from '../../../model/generated/storage-v1.ts';
import { nextGeneration } from '../../../model/object.ts';
import { duplicate, type FieldError, invalid, invalidFormatted } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { findDuplicates } from '../../validation/duplicates.ts';
import { IMMUTABLE, validateImmutable, validateOneOf } from '../../validation/fields.ts';
import { formatGoList, formatGoText } from '../../validation/format-struct.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';

const MINIMUM_TOKEN_SECONDS = 600;
const MAXIMUM_TOKEN_SECONDS = 2 ** 32;

function setDefaults(object: CSIDriver): void {
  object.spec ??= {};
  const { spec } = object;
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

function validate({ spec = {} }: CSIDriver): FieldError[] {
  return [
    ...validateOneOf(spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy'),
    ...validateTokenRequests(spec.tokenRequests ?? [], 'spec.tokenRequests'),
    ...(spec.volumeLifecycleModes ?? []).flatMap((mode) =>
      validateOneOf(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes'),
    ),
  ];
}

function validateTokenRequests(requests: readonly TokenRequest[], field: string): FieldError[] {
  const repeated = findDuplicates(requests, ({ audience = '' }) => audience);
  return requests.flatMap(({ audience = '', expirationSeconds }, index) => {
    if (repeated.has(index)) return [duplicate(`${field}[${index}].audience`, audience)];
    const reject = (text: string): FieldError[] => [
      invalid(`${field}[${index}].expirationSeconds`, expirationSeconds, text),
    ];
    if (expirationSeconds === undefined) return [];
    if (expirationSeconds < MINIMUM_TOKEN_SECONDS)
      return reject('may not specify a duration less than 10 minutes');
    return expirationSeconds > MAXIMUM_TOKEN_SECONDS
      ? reject('may not specify a duration larger than 2^32 seconds')
      : [];
  });
}

function validateUpdate(object: CSIDriver, old: CSIDriver): FieldError[] {
  const { attachRequired, volumeLifecycleModes } = object.spec ?? {};
  const formatModes = formatGoList('storage.VolumeLifecycleMode', volumeLifecycleModes, formatGoText);
  return [
    ...validate(object),
    // kube-apiserver misspells the path.
    ...validateImmutable(attachRequired, old.spec?.attachRequired, 'spec.attachedRequired'),
    ...(semanticEqual(volumeLifecycleModes, old.spec?.volumeLifecycleModes)
      ? []
      : [invalidFormatted('spec.volumeLifecycleModes', formatModes, IMMUTABLE)]),
  ];
}

export const csiDriverStrategy: Strategy = {
  defaults: { v1: setDefaults },
  // The generation of the creation request is kept; spec changes increment it.
  prepareForUpdate(object: CSIDriver, old: CSIDriver) {
    if (!semanticEqual(object.spec, old.spec))
      object.metadata!.generation = nextGeneration(old.metadata?.generation);
  },
  validate,
  validateUpdate,
  requiresResourceVersion: true,
  returnsDeletedObject: true,
};
