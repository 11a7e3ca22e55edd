import type { CustomResourceDefinitionVersion } from '../../model/generated/apiextensions-v1.ts';
import { type KubernetesObject, memberAt } from '../../model/object.ts';

/** The value of a field in an object of the version, as text; empty if absent. */
export type FieldReader = (object: KubernetesObject) => string;

/** Returns the labels of a version's selectable fields (`spec.host`) with functions that return their value. */
export function selectableFieldsOf({
  selectableFields = [],
}: CustomResourceDefinitionVersion): Readonly<Record<string, FieldReader>> {
  const readers: Record<string, FieldReader> = Object.create(null);
  for (const { jsonPath = '' } of selectableFields) {
    const label = jsonPath.replace(/^\./, '');
    const names = label.split('.');
    readers[label] = (object) => textAt(object, names);
  }
  return readers;
}

/** Strings, booleans and integers have a text; validation permits no other type. */
function textAt(object: object, names: readonly string[]): string {
  const value = memberAt(object, names);
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
