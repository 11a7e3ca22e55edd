import { type RawJson, setMember } from '../model/object.ts';
import type { Field, MessageType, ValueType } from '../schema/message.ts';
import { parseJson } from './json-parse.ts';
import { hasKeys, presence } from './json-presence.ts';
import { type Lazy, lazilyOf } from './lazy.ts';
import { literalsOf } from './number-literals.ts';

/**
 * Conversion state: free-form numbers written with a fraction, whose literals are recorded for the root of a
 * document, require a conversion via text.
 */
export interface PlainContext {
  hasLiterals: boolean;
}

type ToPlain = (value: never, context: PlainContext) => unknown;

type Convert = (value: unknown, context: PlainContext) => unknown;

const builders = new WeakMap<MessageType, Lazy<Convert>>();

/**
 * Returns the conversion of a message to plain data: the result of parsing its JSON, without the intermediate
 * text. The result shares no containers with the value.
 */
export const plainMessage = (type: MessageType): Lazy<Convert> =>
  lazilyOf(builders, type, compileMessage as (type: MessageType) => Convert);

const scalar = (value: unknown): unknown => value;
const double = (value: number): unknown => (Object.is(value, -0) ? 0 : value);

function raw(value: RawJson, context: PlainContext): unknown {
  const { text } = value;
  // Values of enums: a definition has very many.
  if (text.startsWith('"') && !text.includes('\\')) return text.slice(1, -1);
  const { value: plain } = parseJson(Buffer.from(text));
  if (literalsOf(plain) !== undefined) context.hasLiterals = true;
  return plain;
}

function plainValue(type: ValueType): (value: unknown, context: PlainContext) => unknown {
  if (type.scalar === 'double') return double as ToPlain as Convert;
  if (type.scalar !== undefined) return scalar;
  const lazy = plainMessage(type.message);
  return (value, context) => (value === null || value === undefined ? null : lazy.run(value, context));
}

function compileMessage(type: MessageType): ToPlain {
  switch (type.form) {
    case 'object':
      return compileMembers(type);
    case 'raw':
    case 'any':
    case 'unknown':
      return raw as ToPlain;
    case 'array':
      return listOf(plainValue(type.items!)) as ToPlain;
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return unionOf(type) as ToPlain;
    default:
      return scalar as ToPlain;
  }
}

function unionOf(type: MessageType): Convert {
  const schema = plainValue(type.fields.find(({ name }) => name === 'Schema')!.type);
  const list = listOf(plainValue(type.fields.find(({ name }) => name !== 'Schema')!.type));
  return (value, context) =>
    typeof value === 'boolean' ? value : Array.isArray(value) ? list(value, context) : schema(value, context);
}

function listOf(item: Convert): (list: readonly unknown[], context: PlainContext) => unknown[] {
  return (list, context) => {
    const plain = new Array<unknown>(list.length);
    for (let index = 0; index < list.length; index++) plain[index] = item(list[index], context);
    return plain;
  };
}

function mapOf(member: Convert): (map: Record<string, unknown>, context: PlainContext) => object {
  return (map, context) => {
    const plain = {};
    for (const key of Object.keys(map)) setMember(plain, key, member(map[key], context));
    return plain;
  };
}

/** Generates the builder of a struct, with kind and apiVersion if the type has them. */
function compileMembers(type: MessageType): ToPlain {
  const build: Convert[] = [];
  const lines: string[] = [];
  if (type.typeMeta)
    for (const name of ['kind', 'apiVersion'])
      lines.push(`if (object.${name}) plain.${name} = object.${name};`);
  for (const field of type.jsonFields) {
    const name = JSON.stringify(field.name);
    lines.push(`value = object[${name}];`);
    const assignment = `plain[${name}] = ${valueCode(field, build)};`;
    if (field.unsetJson === undefined) lines.push(`if (${presence(field)}) ${assignment}`);
    else
      lines.push(
        `if (value !== undefined && value !== null) ${assignment} else plain[${name}] = ${field.unsetJson};`,
      );
  }
  const body = `return function (object, context) {
  const plain = {}; let value;
  ${lines.join('\n  ')}
  return plain;
};`;
  const scope = { build, hasKeys };
  return new Function(...Object.keys(scope), body)(...Object.values(scope)) as ToPlain;
}

function valueCode({ shape, type }: Field, build: Convert[]): string {
  if (shape === 'single' && type.scalar !== undefined && type.scalar !== 'double') return 'value';
  if (shape === 'single' && type.message?.form === 'object')
    return `build[${build.push(plainMessage(type.message) as never) - 1}].run(value, context)`;
  const single = plainValue(type);
  const whole = shape === 'list' ? listOf(single) : shape === 'map' ? mapOf(single) : single;
  return `build[${build.push(whole as Convert) - 1}](value, context)`;
}
