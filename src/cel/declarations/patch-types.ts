import { DYN, type ObjectType, STRING, type Type } from '../types.ts';
import { declare, type Library, plain } from './library.ts';

const ROOT = 'Object';

/**
 * The type of an object of an apply configuration. The fields of the object are not known: each has any type,
 * and the type of an object inside is named by its path, such as `Object.spec.template`.
 */
const objectNamed = (name: string): ObjectType => ({ kind: 'object', name, field: () => ({ type: DYN }) });

/** An apply configuration. */
export const OBJECT = objectNamed(ROOT);

const PATCH_FIELDS: ReadonlyMap<string, Type> = new Map([
  ['op', STRING],
  ['from', STRING],
  ['path', STRING],
  ['value', DYN],
]);

/** An operation of a JSON Patch. */
export const JSON_PATCH: ObjectType = {
  kind: 'object',
  name: 'JSONPatch',
  field: (name) => {
    const type = PATCH_FIELDS.get(name);
    return type && { type };
  },
};

/** The types that mutations can name. */
export const PATCH_TYPES: Pick<ReadonlyMap<string, Type>, 'get'> = {
  get(name) {
    if (name === JSON_PATCH.name) return JSON_PATCH;
    if (name === ROOT) return OBJECT;
    return name.startsWith(`${ROOT}.`) ? objectNamed(name) : undefined;
  },
};

/** Functions for mutations. */
export const jsonPatchLibrary: Library = {
  name: 'jsonpatch',
  since: 0,
  functions: [declare('jsonpatch.escapeKey', plain('string_jsonpatch_escapeKey_string', [STRING], STRING))],
};
