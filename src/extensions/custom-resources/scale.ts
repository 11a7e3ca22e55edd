import type { ScaleStrategy } from '../../kinds/strategy.ts';
import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '../../model/generated/apiextensions-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { plainText } from '../../schema/structural/go-text.ts';
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

/**
 * Returns how the `scale` subresource of a version reads and writes objects; undefined without it.
 * @param declaredIn returns the declaration of a version of the kind; undefined for an unknown version
 */
export function scaleOf(
  { subresources }: CustomResourceDefinitionVersion,
  declaredIn: (apiVersion: string) => CustomResourceDefinitionVersion | undefined,
): ScaleStrategy | undefined {
  const scale = subresources?.scale;
  if (scale === undefined) return undefined;
  return {
    specPath: namesOf(scale.specReplicasPath),
    specPathIn(apiVersion) {
      const declared = declaredIn(apiVersion);
      return declared && namesOf(declared.subresources?.scale?.specReplicasPath);
    },
    statusPath: namesOf(scale.statusReplicasPath),
    declared: true,
    table: SCALE_TABLE,
    selector(object) {
      const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
      readable(object, specReplicasPath, 'int64');
      readable(object, statusReplicasPath, 'int64');
      return labelSelectorPath === ''
        ? ''
        : ((readable(object, labelSelectorPath, 'string') as string | undefined) ?? '');
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
  return scale === undefined
    ? []
    : [...replicasErrors(scale.specReplicasPath, object), ...validateScaleStatus(scale, object)];
}

/** Validates the values that `scale` reads in the status of an object, which a status update changes. */
export function validateScaleStatus(
  scale: CustomResourceSubresourceScale | undefined,
  object: KubernetesObject,
): FieldError[] {
  if (scale === undefined) return [];
  const { statusReplicasPath, labelSelectorPath } = scale;
  const errors = replicasErrors(statusReplicasPath, object);
  if (labelSelectorPath === undefined) return errors;
  const selector = valueAt(object, labelSelectorPath, 'string');
  return selector.fault === undefined ? errors : [...errors, invalid(labelSelectorPath, '', selector.fault)];
}

function replicasErrors(path = '', object: KubernetesObject): FieldError[] {
  const { value, fault } = valueAt(object, path, 'int64');
  if (fault !== undefined) return [invalid(path, 0, fault)];
  if (value === undefined) return [];
  if (Number(value) < 0) return [invalid(path, Number(value), 'should be a non-negative integer')];
  return Number(value) > LARGEST
    ? [invalid(path, Number(value), `should be less than or equal to ${LARGEST}`)]
    : [];
}

/** The value at a path of an object that was not validated by its present schema. @throws ApiError 500 */
function readable(object: KubernetesObject, path: string, expected: 'int64' | 'string'): unknown {
  const { value, fault } = valueAt(object, path, expected);
  if (fault !== undefined) throw errors.failed(fault);
  return value;
}

/** Returns the value at a path of an object, or why it cannot be read. */
function valueAt(
  object: KubernetesObject,
  path: string,
  expected: 'int64' | 'string',
): { readonly value?: unknown; readonly fault?: string } {
  const names = namesOf(path);
  let value: unknown = object;
  for (const [depth, name] of names.entries()) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { fault: wrongType(names.slice(0, depth + 1), value, 'map[string]interface{}') };
    if (!Object.hasOwn(value, name)) return {};
    value = (value as Record<string, unknown>)[name];
    if (value === undefined) return {};
  }
  return goType(value) === expected ? { value } : { fault: wrongType(names, value, expected) };
}

/** The names of a path in dot notation: `.spec.replicas`. */
const namesOf = (path = ''): readonly string[] => (path === '' ? [] : path.replace(/^\./, '').split('.'));

function wrongType(names: readonly string[], value: unknown, expected: string): string {
  const shown = plainText(value);
  return `.${names.join('.')} accessor error: ${shown} is of the type ${goType(value)}, expected ${expected}`;
}
