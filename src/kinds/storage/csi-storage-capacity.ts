import type { CSIStorageCapacity } from '../../model/generated/storage-v1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { dns1123Subdomain } from '../../model/name-syntax.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import { nodeLabelDeprecation } from '../core/pods/pod-warnings.ts';
import type { Strategy } from '../strategy.ts';
import { IMMUTABLE, invalidTexts, validateImmutable } from '../validation/fields.ts';
import { formatGoLabelSelector } from '../validation/format-value.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { validateNonNegativeQuantity } from '../validation/quantities.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

function validate({ nodeTopology, storageClassName = '', capacity }: CSIStorageCapacity): FieldError[] {
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...invalidTexts('storageClassName', storageClassName, dns1123Subdomain(storageClassName)),
    ...(capacity === undefined ? [] : validateNonNegativeQuantity(capacity, 'capacity')),
  ];
}

function validateUpdate(object: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  const { nodeTopology } = object;
  const formatted = nodeTopology === undefined ? '"null"' : formatGoLabelSelector(nodeTopology);
  return [
    ...validate(object),
    ...(semanticEqual(nodeTopology, old.nodeTopology, internalTypes.type('meta_v1.LabelSelector'))
      ? []
      : [invalidFormatted('nodeTopology', formatted, IMMUTABLE)]),
    ...validateImmutable(object.storageClassName ?? '', old.storageClassName ?? '', 'storageClassName'),
  ];
}

function warnings({ nodeTopology }: CSIStorageCapacity): string[] {
  const labels = [
    ...Object.keys(nodeTopology?.matchLabels ?? {}).map((label) => [
      `nodeTopology.matchLabels.${label}`,
      label,
    ]),
    ...(nodeTopology?.matchExpressions ?? []).map(({ key = '' }, index) => [
      `nodeTopology.matchExpressions[${index}].key`,
      key,
    ]),
  ] as [field: string, label: string][];
  return labels.flatMap(([field, label]) =>
    nodeLabelDeprecation(label) === undefined ? [] : [`${field}: ${nodeLabelDeprecation(label)}`],
  );
}

export const csiStorageCapacityStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'change'] } },
  validate,
  validateUpdate,
  warnings,
  requiresResourceVersion: true,
};

export const csiStorageCapacities = defineResource({
  group: 'storage.k8s.io',
  versions: ['v1'],
  resource: 'csistoragecapacities',
  kind: 'CSIStorageCapacity',
  strategy: csiStorageCapacityStrategy,
});
