import { DecodeError } from './decode-error.ts';

/** The type that a document says it has; empty texts where it does not. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

const NAMES: ReadonlyMap<string, keyof TypeMeta> = new Map([
  ['apiversion', 'apiVersion'],
  ['kind', 'kind'],
]);

/**
 * Reads the type of plain data like Go's `encoding/json`: names of members in any case, the last one counts,
 * null is nothing. @throws DecodeError for data that is no object, and for members that are no texts
 */
export function typeMetaOf(value: unknown): TypeMeta {
  const found = { apiVersion: '', kind: '' };
  if (value === null || value === undefined) return found;
  if (typeof value !== 'object' || Array.isArray(value))
    throw new DecodeError(
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  let problem: DecodeError | undefined;
  for (const [key, member] of Object.entries(value)) {
    const name = NAMES.get(key.toLowerCase());
    if (name === undefined || member === null) continue;
    if (typeof member === 'string') found[name] = member;
    else
      problem ??= new DecodeError(
        `json: cannot unmarshal ${jsonTypeOf(member)} into Go struct field .${name} of type string`,
      );
  }
  if (problem !== undefined) throw problem;
  return found;
}

/** The JSON type of a value in Go's words. */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
