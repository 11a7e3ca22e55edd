import { isJsonObject } from '../../model/json-object.ts';
import type { RuleSchema } from './rule-schema.ts';

/** Finds the element of the old list that corresponds to an element of the new list. */
export type OldElement = (element: unknown) => unknown;

const nothing: OldElement = () => undefined;

/**
 * Correlates by `x-kubernetes-list-map-keys`; elements of other lists have no old value. The first of equal
 * keys wins.
 */
export function oldElementsOf(schema: RuleSchema, old: unknown): OldElement {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return nothing;
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (element: unknown): string | undefined => {
    const members = membersOf(element);
    return (
      members &&
      JSON.stringify(names.map((name) => (Object.hasOwn(members, name) ? plain(members[name]) : null)))
    );
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

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? ['bigint', String(value)] : value);

/** The members of a JSON object; undefined for anything else. */
export function membersOf(json: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(json) ? json : undefined;
}

/** Whether two JSON values are equal; the order of members is ignored. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return (
      Array.isArray(b) && a.length === b.length && a.every((element, index) => sameJson(element, b[index]))
    );
  const [mine, theirs] = [membersOf(a), membersOf(b)];
  if (mine === undefined || theirs === undefined) return false;
  const names = Object.keys(mine);
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => Object.hasOwn(theirs, name) && sameJson(mine[name], theirs[name]))
  );
}
