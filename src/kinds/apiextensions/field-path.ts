import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';

/** The target of a path in a schema. */
export interface FieldPath {
  /** The path in canonical form. */
  readonly text: string;
  readonly schema: JSONSchemaProps;
}

/** A quoted text, a delimiter, or the text up to the next delimiter. */
const TOKEN = /'(?:[^'\\]|\\'|\\(?!'))*'|[.[\]]|[^.[\]']+[^.[\]]*|'.*/sy;
const END = 'unexpected end of JSON path';

/** Returns a function that returns the next token of a path: a long path fails at one of its first. */
function tokensOf(path: string): () => string | undefined {
  let position = 0;
  return () => {
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(path)?.[0];
    position += token?.length ?? 0;
    return token;
  };
}

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
  if (path === '') return 'must not be empty';
  const next = tokensOf(path);
  let schema = root;
  let text = '';
  for (let token = next(); token !== undefined; token = next()) {
    let name: string;
    if (token === '.') {
      // Whatever follows is a name, also a delimiter.
      name = next() ?? '';
      if (name === '') return END;
    } else if (token === '[') {
      if (!brackets) return 'array notation is not allowed';
      const quoted = next();
      if (quoted === undefined) return END;
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'"))
        return `expected single quoted string but got ${quoted}`;
      const close = next();
      if (close !== ']') return close === undefined ? END : `expected ] but got ${close}`;
      name = quoted.slice(1, -1).replace(/\\(.)/gs, '$1');
    } else return `expected [ or . but got: ${token}`;
    const target = child(schema, name);
    if (target === undefined) return 'does not refer to a valid field';
    schema = target;
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
