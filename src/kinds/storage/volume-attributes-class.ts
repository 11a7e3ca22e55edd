import type { VolumeAttributesClass } from '../../model/generated/storage-v1beta1.ts';
import { type FieldError, forbidden, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, table } from '../tables/define.ts';
import { nameOfClass } from '../tables/format.ts';
import { validateParameters, validatePluginName } from '../validation/drivers.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

function validate({ driverName = '', parameters = {} }: VolumeAttributesClass): FieldError[] {
  return [
    ...validatePluginName(driverName, 'driverName'),
    ...(Object.keys(parameters).length === 0
      ? [required('parameters', 'must contain at least one key/value pair')]
      : validateParameters(parameters, 'parameters')),
  ];
}

const REPLACEMENT = 'storage.k8s.io/v1 VolumeAttributesClass';

export const volumeAttributesClassStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'change', 'whole'] } },
  validate,
  validateUpdate: (object: VolumeAttributesClass, old: VolumeAttributesClass) => [
    ...validate(object),
    ...(['driverName', 'parameters'] as const).flatMap((name) =>
      semanticEqual(object[name], old[name]) ? [] : [forbidden(name, `updates to ${name} are forbidden.`)],
    ),
  ],
  deletion: { returnsObject: true },
};

const DEFAULT_ATTRIBUTES = 'volumeattributesclass.alpha.kubernetes.io/is-default-class';

export const volumeAttributesClasses = defineResource({
  group: 'storage.k8s.io',
  versions: [
    { name: 'v1', since: '1.34' },
    {
      name: 'v1beta1',
      until: '1.37',
      deprecation: { since: '1.34', unavailable: '1.37', replacement: REPLACEMENT },
    },
    {
      name: 'v1alpha1',
      until: '1.35',
      deprecation: {
        since: '1.32',
        unavailable: '1.35',
        replacement: REPLACEMENT,
        replacementSince: '1.34',
      },
    },
  ],
  resource: 'volumeattributesclasses',
  kind: 'VolumeAttributesClass',
  shortNames: ['vac'],
  scope: 'Cluster',
  strategy: volumeAttributesClassStrategy,
  table: table<VolumeAttributesClass>(
    [NAME, column('DriverName', 'Driver of the volumes.'), AGE],
    (object) => [nameOfClass(object, DEFAULT_ATTRIBUTES), object.driverName ?? '', ageOf(object)],
  ),
});
