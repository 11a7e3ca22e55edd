import type { VolumeAttributesClass } from '../../../model/generated/storage-v1beta1.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { validateParameters, validatePluginName } from '../../validation/drivers.ts';
import { semanticEqual } from '../../validation/semantic-equal.ts';

function validate({ driverName = '', parameters = {} }: VolumeAttributesClass): FieldError[] {
  return [
    ...validatePluginName(driverName, 'driverName'),
    ...(Object.keys(parameters).length === 0
      ? [required('parameters', 'must contain at least one key/value pair')]
      : validateParameters(parameters, 'parameters')),
  ];
}

export const volumeAttributesClassStrategy: Strategy = {
  validate,
  validateUpdate: (object: VolumeAttributesClass, old: VolumeAttributesClass) => [
    ...validate(object),
    ...(['driverName', 'parameters'] as const).flatMap((name) =>
      semanticEqual(object[name], old[name]) ? [] : [forbidden(name, `updates to ${name} are forbidden.`)],
    ),
  ],
  returnsDeletedObject: true,
};
