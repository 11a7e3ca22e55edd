import { writePlain } from '../codec/json-plain.ts';
import { quoteJson } from '../codec/json-string.ts';
import { isJsonObject } from '../model/json-object.ts';
import { getMember } from '../model/object.ts';

/**
 * One element of a field path, as its FieldsV1 text: `f:name` a member, `k:{"name":"c"}` an item by its keys,
 * `v:"x"` an item by its value, `i:0` an item by its index. Texts are canonical, so that equal elements are
 * equal strings.
 */
export type PathElement = string;

/** Types of elements in their order in a set. */
export const ELEMENT_TYPES = 'fkvi';

/** Stands for every element in a pattern of {@link FieldSet.within}. */
export const ANY_ELEMENT: PathElement = '*';

export const fieldElement = (name: string): PathElement => `f:${name}`;
export const valueElement = (value: unknown): PathElement => `v:${writePlain(value)}`;

/** @param keys names in sorted order; a key without value is omitted */
export function keyElement(
  item: object,
  keys: readonly string[],
  defaults: ReadonlyMap<string, unknown>,
): PathElement {
  let text = '';
  for (const key of keys) {
    const own = getMember(item, key);
    const value = own === undefined ? defaults.get(key) : own;
    if (value !== undefined)
      text += `${text === '' ? '' : ','}${quoteJson(key)}:${typeof value === 'string' ? quoteJson(value) : writePlain(value)}`;
  }
  return `k:{${text}}`;
}

/** Whether a FieldsV1 key has a type that only a later version knows. */
export const isUnknownElement = (text: string): boolean =>
  text[1] === ':' && !ELEMENT_TYPES.includes(text[0]!);

/** Parses a FieldsV1 key to canonical form; undefined when it is invalid. */
export function parseElement(text: string): PathElement | undefined {
  if (text[1] !== ':') return undefined;
  try {
    switch (text[0]) {
      case 'f':
        return text;
      case 'k': {
        const keys = JSON.parse(text.slice(2)) as unknown;
        if (keys === null) return 'k:{}';
        return isJsonObject(keys) ? `k:${writePlain(keys)}` : undefined;
      }
      case 'v':
        return `v:${writePlain(JSON.parse(text.slice(2)))}`;
      case 'i':
        return /^i:[+-]?\d{1,15}$/.test(text) ? `i:${Number(text.slice(2))}` : undefined;
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

/** Formats an element: `.name`, `[name="c"]`, `[="x"]`, `[0]`. */
export function formatElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k':
      return `[${Object.entries(JSON.parse(rest) as object)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${JSON.stringify(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

export const formatPath = (path: readonly PathElement[]): string => path.map(formatElement).join('');
