import type { JSONSchemaProps } from '../../../model/generated/apiextensions-v1.ts';

/** The target of a path in a schema. */
export interface FieldPath {
  /** The path in canonical form. */
  readonly text: string;
  readonly schema: JSONSchemaProps;
}

/** A quoted text, a delimiter, or the text up to the next delimiter. */
const TOKEN = /'(?:[^'\\]|\\'|\\(?!'))*'|[.[\]]|[^.[\]']+[^.[\]]*|'.*/gs;
const END = 'unexpected end of JSON path';

/**
 * Resolves `.name` and `['name']` through properties and map values; lists are not traversed.
 * @param options brackets: whether `['name']` is allowed
 * @returns the target, or an error message
 */
export function resolveFieldPath(
  path: string,
  root: JSONSchemaProps,
  { brackets = true } = {},
): FieldPath | string {
  const tokens = path.match(TOKEN) ?? [];
  if (tokens.length === 0) return 'must not be empty';
  let schema = root;
  let text = '';
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!;
    let name: string;
    if (token === '.') {
      // Whatever follows is a name, also a delimiter.
      name = tokens[++index] ?? '';
      if (name === '') return END;
    } else if (token === '[') {
      if (!brackets) return 'array notation is not allowed';
      const quoted = tokens[++index];
      if (quoted === undefined) return END;
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'"))
        return `expected single quoted string but got ${quoted}`;
      const close = tokens[++index];
      if (close !== ']') return close === undefined ? END : `expected ] but got ${close}`;
      name = quoted.slice(1, -1).replace(/\\(.)/gs, '$1');
    } else return `expected [ or . but got: ${token}`;
    const next = child(schema, name);
    if (next === undefined) return 'does not refer to a valid field';
    schema = next;
    text += token === '.' ? `.${name}` : `['${name}']`;
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
