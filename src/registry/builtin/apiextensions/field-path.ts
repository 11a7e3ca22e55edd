import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';

/** The target of a path in a schema. */
export interface FieldPath {
  /** The path in canonical form. */
  readonly text: string;
  readonly schema: JSONSchemaProps;
}

const TOKEN = /^(?:\.([A-Za-z_$][\w$-]*)|\['((?:[^'\\]|\\.)*)'\])/;

/**
 * Resolves `.name` and `['name']` through properties and map values; lists are not traversed.
 * @returns the target, or an error message
 */
export function resolveFieldPath(path: string, root: JSONSchemaProps): FieldPath | string {
  let schema = root;
  let rest = path;
  let text = '';
  if (rest === '') return 'must not be empty';
  while (rest !== '') {
    if (!/^[.[]/.test(rest)) return `expected [ or . but got: ${/^[^.[]+/.exec(rest)?.[0] ?? rest}`;
    const match = TOKEN.exec(rest);
    if (match === null)
      return rest.startsWith('[') ? 'expected single quoted string' : 'unexpected end of JSON path';
    const name = match[1] ?? match[2]!.replace(/\\(.)/g, '$1');
    const next = child(schema, name);
    if (next === undefined) return 'does not refer to a valid field';
    schema = next;
    text += match[1] === undefined ? `['${match[2]}']` : `.${name}`;
    rest = rest.slice(match[0].length);
  }
  return { text, schema };
}

function child(
  { properties, additionalProperties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
