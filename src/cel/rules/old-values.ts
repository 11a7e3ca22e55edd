import { jsonObject } from '../../model/json-object.ts';
import type { RuleSchema } from './rule-schema.ts';

/** Finds the element of the old list that corresponds to an element of the new list. */
export type OldElement = (element: unknown) => unknown;

const nothing: OldElement = () => undefined;

/**
 * Correlates by `x-kubernetes-list-map-keys`; elements without a scalar for each key and elements of other
 * lists have no old value. The first of equal keys wins.
 */
export function oldElementsOf(schema: RuleSchema, old: unknown): OldElement {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return nothing;
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (element: unknown): string | undefined => {
    const members = jsonObject(element);
    if (members === undefined) return undefined;
    const values = names.map((name) => (Object.hasOwn(members, name) ? scalar(members[name]) : undefined));
    return values.includes(undefined) ? undefined : values.join();
  };
  const elements = new Map<string, unknown>();
  for (const element of old) {
    const key = keyOf(element);
    if (key !== undefined && !elements.has(key)) elements.set(key, element);
  }
  return (element) => {
    const key = keyOf(element);
    return key === undefined ? undefined : elements.get(key);
  };
}

/** The text of a scalar value, different for each type and value; undefined for other values. */
function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  return value === null || typeof value === 'object' ? undefined : String(value);
}
