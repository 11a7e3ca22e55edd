import type { CustomResourceDefinitionVersion } from '../../../model/generated/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import type { TypeMeta } from '../../../registry/object-schema.ts';
import type { Strategy, StrategyContext } from '../../../registry/strategy.ts';
import { errors, type FieldError, invalid } from '../../../status/index.ts';
import { scaleOf } from '../scale.ts';
import type { CustomVersion } from './custom-version.ts';
import { type Findings, validateObject, validateStatus } from './validate-object.ts';

const NOTHING_FOUND: Findings = { errors: [], warnings: [] };

/** Creates the strategy of custom objects in one version. */
export function customStrategy(
  declared: CustomResourceDefinitionVersion,
  typeMeta: TypeMeta,
  version: () => CustomVersion,
): Strategy {
  // Validation runs in steps before its results are asked for.
  const findings = new WeakMap<KubernetesObject, Findings>();
  const report = (object: KubernetesObject, { warn }: StrategyContext): FieldError[] => {
    const { errors, warnings } = findings.get(object) ?? NOTHING_FOUND;
    for (const warning of warnings) warn?.(warning);
    return [...errors];
  };
  return {
    managesGeneration: true,
    requiresResourceVersion: true,
    statusUpdatesMetadata: false,
    statusResetFields: [['spec']],
    allowsUnqualifiedFinalizers: true,
    scale: scaleOf(declared),
    prepareForCreate: (object, context) => checkType(object, typeMeta, context),
    prepareForUpdate: (object, _old, context) => checkType(object, typeMeta, context),
    generationChanged: (object, old) => version().schema.specChanged(object, old),
    async validateAsync(object, old, subresource, turns) {
      findings.set(
        object,
        subresource === 'status'
          ? await validateStatus(turns, version(), object, old!)
          : await validateObject(turns, version(), object, old),
      );
    },
    validatesSubresources: true,
    validate: (object, context) => report(object, context),
    validateUpdate: (object, _old, context) => report(object, context),
    validateSubresource: {
      status: (object, _old, context) => report(object, context),
      scale: (object, _old, context) => report(object, context),
    },
  };
}

/** Checks the type of an object before anything else of it is validated. @throws ApiError 422 */
function checkType(object: KubernetesObject, expected: TypeMeta, { group }: StrategyContext): void {
  const { apiVersion, kind = '', metadata } = object;
  const problems = [
    ...(kind === expected.kind ? [] : [invalid('kind', kind, `must be ${expected.kind}`)]),
    ...(apiVersion === expected.apiVersion
      ? []
      : [invalid('apiVersion', apiVersion, `must be ${expected.apiVersion}`)]),
  ];
  if (problems.length > 0) throw errors.invalid({ group, kind }, metadata?.name ?? '', problems);
}
