import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '../../model/generated/apiextensions-v1.ts';
import { type KubernetesObject, memberAt } from '../../model/object.ts';
import type { ScaleStrategy } from '../../registry/strategy.ts';
import { errors, type FieldError, invalid } from '../../status/index.ts';
import { goType } from '../go-type.ts';
import { AGE_COLUMN, tableOfColumns } from './printer-columns.ts';

const LARGEST = 2 ** 31 - 1;

const SCALE_TABLE = tableOfColumns([
  { name: 'Desired', type: 'integer', description: 'Number of desired replicas', jsonPath: '.spec.replicas' },
  {
    name: 'Available',
    type: 'integer',
    description: 'Number of actual replicas',
    jsonPath: '.status.replicas',
  },
  AGE_COLUMN,
]);

/** Returns how the `scale` subresource of a version reads and writes objects; undefined without it. */
export function scaleOf({ subresources }: CustomResourceDefinitionVersion): ScaleStrategy | undefined {
  const scale = subresources?.scale;
  if (scale === undefined) return undefined;
  const selectorPath = namesOf(scale.labelSelectorPath);
  return {
    specPath: namesOf(scale.specReplicasPath),
    statusPath: namesOf(scale.statusReplicasPath),
    declared: true,
    table: SCALE_TABLE,
    selector(object) {
      const selector = selectorPath.length === 0 ? undefined : memberAt(object, selectorPath);
      if (selector === undefined || typeof selector === 'string') return selector ?? '';
      throw errors.internal(wrongType(selectorPath, selector, 'string'));
    },
  };
}

/**
 * Validates the values that `scale` reads in an object: replicas are int32 and not negative, the selector is
 * a string.
 */
export function validateScaleValues(
  scale: CustomResourceSubresourceScale | undefined,
  object: KubernetesObject,
): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const selectorPath = namesOf(labelSelectorPath);
  const selector = selectorPath.length === 0 ? undefined : memberAt(object, selectorPath);
  return [
    ...replicasErrors(specReplicasPath, object),
    ...replicasErrors(statusReplicasPath, object),
    ...(selector === undefined || typeof selector === 'string'
      ? []
      : [invalid(labelSelectorPath!, '', wrongType(selectorPath, selector, 'string'))]),
  ];
}

function replicasErrors(path = '', object: KubernetesObject): FieldError[] {
  const names = namesOf(path);
  const value = memberAt(object, names);
  if (value === undefined) return [];
  if (typeof value !== 'bigint' && !Number.isInteger(value))
    return [invalid(path, 0, wrongType(names, value, 'int64'))];
  if (Number(value) < 0) return [invalid(path, Number(value), 'should be a non-negative integer')];
  return Number(value) > LARGEST
    ? [invalid(path, Number(value), `should be less than or equal to ${LARGEST}`)]
    : [];
}

/** The names of a path in dot notation: `.spec.replicas`. */
const namesOf = (path = ''): readonly string[] => (path === '' ? [] : path.replace(/^\./, '').split('.'));

function wrongType(names: readonly string[], value: unknown, expected: string): string {
  const shown = typeof value === 'object' && value !== null ? 'value' : String(value);
  return `.${names.join('.')} accessor error: ${shown} is of the type ${goType(value)}, expected ${expected}`;
}
