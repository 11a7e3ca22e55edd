import { type RawJson, setMember } from '../model/object.ts';
import type { Field, MessageType, ValueType } from '../schema/message.ts';
import type { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { COMPOUND_FORMS } from './compound-forms.ts';
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

/** {@link PlainContext} of a conversion that pauses every few milliseconds. */
export interface SteppingPlainContext extends PlainContext {
  readonly pace: Pace;
}

type ToPlain = (value: never, context: PlainContext) => unknown;

type Convert = (value: unknown, context: PlainContext) => unknown;

type SteppingConvert = (value: unknown, context: SteppingPlainContext) => Steps<unknown>;

const builders = new WeakMap<MessageType, Lazy<Convert>>();

/**
 * Returns the conversion of a message to plain data: the result of parsing its JSON, without the intermediate
 * text. The result shares no containers with the value.
 */
export const plainMessage = (type: MessageType): Lazy<Convert> =>
  lazilyOf(builders, type, compileMessage as (type: MessageType) => Convert);

const steppingBuilders = new WeakMap<MessageType, Lazy<SteppingConvert>>();

/** {@link plainMessage} in steps, for large values: small ones are converted faster without. */
export const steppingPlainMessage = (type: MessageType): Lazy<SteppingConvert> =>
  lazilyOf(steppingBuilders, type, compileSteps);

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

/** A null is kept; other values are converted in steps. */
const orNull = (lazy: Lazy<SteppingConvert>): SteppingConvert =>
  function* (value, context) {
    return value === null || value === undefined ? null : yield* lazy.run(value, context);
  };

/** The conversion in steps of a value that may be large; undefined for others. */
function steppingValue({ message }: ValueType): SteppingConvert | undefined {
  return message === undefined || !COMPOUND_FORMS.has(message.form)
    ? undefined
    : orNull(steppingPlainMessage(message));
}

function compileSteps(type: MessageType): SteppingConvert {
  switch (type.form) {
    case 'object':
      return compileMembers(type, true);
    case 'array':
      return containerInSteps('list', type.items!);
    default:
      return unionInSteps(type);
  }
}

function containerInSteps(form: 'list' | 'map', type: ValueType): SteppingConvert {
  const item = steppingValue(type);
  return item === undefined
    ? containerOf<Convert, SteppingConvert>(form, { pauses: true })(plainValue(type))
    : containerOf<SteppingConvert, SteppingConvert>(form, { pauses: true, isSteppingItem: true })(item);
}

function unionInSteps(type: MessageType): SteppingConvert {
  const schema = steppingValue(type.fields.find(({ name }) => name === 'Schema')!.type)!;
  const list = containerInSteps('list', type.fields.find(({ name }) => name !== 'Schema')!.type);
  return function* (value, context) {
    if (typeof value === 'boolean') return value;
    return yield* (Array.isArray(value) ? list : schema)(value, context);
  };
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
      return listOf(plainValue(type.items!));
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return unionOf(type);
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

/**
 * Generates what makes the conversions of lists or maps: the plain ones and those in steps have one source.
 * @param pauses the conversion is a generator that pauses between values
 * @param isSteppingItem the values are converted by generators, too
 */
function containerOf<Item, Result>(
  form: 'list' | 'map',
  { pauses = false, isSteppingItem = false } = {},
): (item: Item) => Result {
  const isList = form === 'list';
  const call = `${isSteppingItem ? 'yield* ' : ''}item(values[key], context)`;
  const body = `return (item) => function${pauses ? '*' : ''} (values, context) {
  const plain = ${isList ? 'new Array(values.length)' : '{}'};
  for (${isList ? 'let key = 0; key < values.length; key++' : 'const key of Object.keys(values)'}) {
    ${pauses ? 'if (context.pace.isPause()) yield;' : ''}
    ${isList ? `plain[key] = ${call}` : `setMember(plain, key, ${call})`};
  }
  return plain;
};`;
  return new Function('setMember', body)(setMember) as (item: Item) => Result;
}

const listOf = containerOf<Convert, Convert>('list');
const mapOf = containerOf<Convert, Convert>('map');

function compileMembers(type: MessageType): ToPlain;
function compileMembers(type: MessageType, inSteps: true): SteppingConvert;
/**
 * Generates the builder of a struct, with kind and apiVersion if the type has them.
 * @param inSteps the builder is a generator
 */
function compileMembers(type: MessageType, inSteps = false): ToPlain | SteppingConvert {
  const build: (Convert | SteppingConvert)[] = [];
  const lines: string[] = [];
  if (type.typeMeta)
    for (const name of ['kind', 'apiVersion'])
      lines.push(`if (object.${name}) plain.${name} = object.${name};`);
  for (const field of type.jsonFields) {
    const name = JSON.stringify(field.name);
    lines.push(`value = object[${name}];`);
    const assignment = `plain[${name}] = ${valueCode(field, build, inSteps)};`;
    if (field.unsetJson === undefined) lines.push(`if (${presence(field)}) ${assignment}`);
    else
      lines.push(
        `if (value !== undefined && value !== null) ${assignment} else plain[${name}] = ${field.unsetJson};`,
      );
  }
  const body = `return function${inSteps ? '*' : ''} (object, context) {
  const plain = {}; let value;
  ${lines.join('\n  ')}
  return plain;
};`;
  const scope = { build, hasKeys };
  return new Function(...Object.keys(scope), body)(...Object.values(scope)) as ToPlain | SteppingConvert;
}

function valueCode(field: Field, build: (Convert | SteppingConvert)[], inSteps: boolean): string {
  const { shape, type } = field;
  if (shape === 'single' && type.scalar !== undefined && type.scalar !== 'double') return 'value';
  const stepping = inSteps ? steppingFieldValue(field) : undefined;
  if (stepping !== undefined) return `yield* build[${build.push(stepping) - 1}](value, context)`;
  if (shape === 'single' && type.message?.form === 'object')
    return `build[${build.push(plainMessage(type.message) as never) - 1}].run(value, context)`;
  const single = plainValue(type);
  const whole = shape === 'list' ? listOf(single) : shape === 'map' ? mapOf(single) : single;
  return `build[${build.push(whole) - 1}](value, context)`;
}

/** The conversion in steps of a field that may be large; undefined for others. */
const steppingFieldValue = ({ shape, type }: Field): SteppingConvert | undefined =>
  shape === 'single' ? steppingValue(type) : containerInSteps(shape, type);
