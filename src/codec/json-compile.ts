import type { RawJson } from '../model/object.ts';
import type { Field, MessageType, ValueType } from '../schema/message.ts';
import { hasKeys, presence } from './json-presence.ts';
import { escapeHtml, jsonNumber, quoteJson, sortedKeys } from './json-string.ts';

/** Writes one value, never undefined or null. */
export type Write = (value: never) => string;

/** A writer that is compiled on first use. */
interface Lazy {
  run: (value: unknown) => string;
}

const writers = new WeakMap<MessageType, Lazy>();

/** The JSON writer of a message. */
export function messageWriter(type: MessageType): Lazy {
  let writer = writers.get(type);
  if (writer === undefined) {
    const lazy: Lazy = {
      run: (value) => {
        lazy.run = compileMessage(type) as Lazy['run'];
        return lazy.run(value);
      },
    };
    writer = lazy;
    writers.set(type, writer);
  }
  return writer;
}

const writeRaw = (value: RawJson): string => escapeHtml(value.text);
const writeScalar = (value: unknown): string =>
  typeof value === 'string' ? quoteJson(value) : String(value);

/** The JSON writer of one value, which may be null or undefined. */
export function valueWriter(type: ValueType): (value: unknown) => string {
  if (type.scalar === 'double') return jsonNumber as Write as Lazy['run'];
  if (type.scalar !== undefined) return writeScalar;
  const lazy = messageWriter(type.message);
  return (value) => (value === null || value === undefined ? 'null' : lazy.run(value));
}

function compileMessage(type: MessageType): Write {
  switch (type.form) {
    case 'object':
      return compileMembers(type.jsonFields, type.typeMeta, '{', '}');
    case 'raw':
    case 'any':
    case 'unknown':
      return writeRaw as Write;
    case 'array':
      return listWriter(valueWriter(type.items!)) as Write;
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return compileUnion(type) as Write;
    default:
      return writeScalar as Write;
  }
}

function compileUnion(type: MessageType): (value: unknown) => string {
  const schema = valueWriter(type.fields.find(({ name }) => name === 'Schema')!.type);
  const list = listWriter(valueWriter(type.fields.find(({ name }) => name !== 'Schema')!.type));
  return (value) =>
    typeof value === 'boolean' ? String(value) : Array.isArray(value) ? list(value) : schema(value);
}

function listWriter(item: (value: unknown) => string): (list: readonly unknown[]) => string {
  return (list) => {
    if (list.length === 0) return '[]';
    let text = `[${item(list[0])}`;
    for (let index = 1; index < list.length; index++) text += `,${item(list[index])}`;
    return `${text}]`;
  };
}

function mapWriter(member: (value: unknown) => string): (map: Record<string, unknown>) => string {
  return (map) => {
    let text = '{';
    for (const key of sortedKeys(map))
      text += `${text === '{' ? '' : ','}${quoteJson(key)}:${member(map[key])}`;
    return `${text}}`;
  };
}

/**
 * Generates the writer of some members of a struct, in order, between an opening and a closing text. A member
 * is known to have a predecessor once an unconditional member precedes it; until then the separator is a
 * variable.
 * @param open `{`, or empty for a prefix of the members: then each member is followed, not preceded, by a
 * comma
 */
export function compileMembers(
  fields: readonly Field[],
  typeMeta: boolean,
  open: '{' | '',
  close: string,
): Write {
  const write: ((value: never) => string)[] = [];
  const trailing = open === '';
  let preceded = false;
  const member = (name: string, value: string): string => {
    const label = JSON.stringify(`${JSON.stringify(name)}:`);
    if (trailing) return `text += ${label} + ${value} + ',';`;
    return preceded
      ? `text += ${JSON.stringify(`,${JSON.stringify(name)}:`)} + ${value};`
      : `text += separator + ${label} + ${value}; separator = ',';`;
  };
  const lines: string[] = [];
  if (typeMeta)
    for (const name of ['kind', 'apiVersion'])
      lines.push(`if (object.${name}) { ${member(name, `quote(object.${name})`)} }`);
  for (const field of fields) {
    const value = `object[${JSON.stringify(field.name)}]`;
    lines.push(`value = ${value};`);
    const written = member(field.name, valueCode(field, write));
    if (field.unsetJson === undefined) {
      lines.push(`if (${presence(field)}) { ${written} }`);
    } else {
      lines.push(
        `if (value !== undefined && value !== null) { ${written} } else { ${member(field.name, JSON.stringify(field.unsetJson))} }`,
      );
      preceded = true;
    }
  }
  const body = `return function (object) {
  let text = ${JSON.stringify(open)}, separator = '', value;
  ${lines.join('\n  ')}
  return text${close === '' ? '' : ` + ${JSON.stringify(close)}`};
};`;
  const scope = { write, quote: quoteJson, hasKeys };
  return new Function(...Object.keys(scope), body)(...Object.values(scope)) as Write;
}

function valueCode({ shape, type }: Field, write: ((value: never) => string)[]): string {
  if (shape === 'single' && type.scalar !== undefined && type.scalar !== 'double') {
    return type.scalar === 'string' || type.scalar === 'bytes' ? 'quote(value)' : 'value';
  }
  if (shape === 'single' && type.message?.form === 'object')
    return `write[${write.push(messageWriter(type.message) as never) - 1}].run(value)`;
  const single = valueWriter(type);
  const whole = shape === 'list' ? listWriter(single) : shape === 'map' ? mapWriter(single) : single;
  return `write[${write.push(whole) - 1}](value)`;
}
