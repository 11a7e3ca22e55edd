import { DecodeError } from './decode-error.ts';

/** The type that a document names; members that it omits are empty. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

const NAMES: ReadonlyMap<string, keyof TypeMeta> = new Map([
  ['apiversion', 'apiVersion'],
  ['kind', 'kind'],
]);

/**
 * Reads the type of plain data like Go's `encoding/json`: the case of member names is ignored, the last of
 * several spellings wins, and null counts as absent.
 * @throws DecodeError if the data is not an object, or if one of the two members is not a string
 */
export function typeMetaOf(value: unknown): TypeMeta {
  const found = { apiVersion: '', kind: '' };
  if (value === null || value === undefined) return found;
  if (typeof value !== 'object' || Array.isArray(value)) throw new DecodeError(notAnObject(value));
  let problem: DecodeError | undefined;
  for (const [key, member] of Object.entries(value)) {
    const name = NAMES.get(key.toLowerCase());
    if (name === undefined || member === null) continue;
    if (typeof member === 'string') found[name] = member;
    else problem ??= new DecodeError(notAString(name, member));
  }
  if (problem !== undefined) throw problem;
  return found;
}

/** Go's message for data whose type cannot be read because it is not an object. */
export const notAnObject = (value: unknown): string =>
  `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;

/** Go's message for an apiVersion or kind that is not a string. */
export const notAString = (name: keyof TypeMeta, value: unknown): string =>
  `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${name} of type string`;

/** The JSON type of a value in Go's words. */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
