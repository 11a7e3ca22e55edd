import type { CustomResourceDefinitionVersion } from '../../../model/generated/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { scaleOf } from '../scale.ts';
import { selectableFieldsOf } from '../selectable-fields.ts';
import type { CustomVersion } from './custom-version.ts';
import { type Findings, validateObject, validateStatus } from './validate-object.ts';

const NOTHING_FOUND: Findings = { errors: [], warnings: [] };

/** Creates the strategy of custom objects in one version. */
export function customStrategy(
  declared: CustomResourceDefinitionVersion,
  version: () => CustomVersion,
): Strategy {
  // Validation runs in steps before its results are asked for.
  const findings = new WeakMap<KubernetesObject, Findings>();
  const found = (object: KubernetesObject): Findings => findings.get(object) ?? NOTHING_FOUND;
  return {
    managesGeneration: true,
    requiresResourceVersion: true,
    statusUpdatesMetadata: false,
    statusResetFields: [['metadata'], ['spec']],
    allowsUnqualifiedFinalizers: true,
    selectableFields: selectableFieldsOf(declared),
    scale: scaleOf(declared),
    generationChanged: (object, old) => version().schema.specChanged(object, old),
    async validateAsync(object, old, subresource) {
      findings.set(
        object,
        subresource === 'status'
          ? await validateStatus(version(), object, old!)
          : await validateObject(version(), object, old),
      );
    },
    validatesSubresources: true,
    validate: (object) => [...found(object).errors],
    validateUpdate: (object) => [...found(object).errors],
    validateSubresource: {
      status: (object) => [...found(object).errors],
      scale: (object) => [...found(object).errors],
    },
    warnings: (object) => [...found(object).warnings],
  };
}
