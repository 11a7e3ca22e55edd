import type { Field, MessageType, ValueType } from '../schema/message.ts';
import { DecodeError } from './decode-error.ts';
import { type Lazy, lazilyOf } from './lazy.ts';
import { rawFromPlain } from './raw-text.ts';
import { goFieldType, goTypeName, Mismatch, mismatch } from './typed-mismatch.ts';
import {
  type ContainerValues,
  type Decode,
  decodeBoolean,
  decodeBytes,
  decodeDouble,
  decodeDuration,
  decodeInt32,
  decodeInt64,
  decodeInteger,
  decodeIntOrString,
  decodeList,
  decodeMap,
  decodeMicroTime,
  decodeQuantity,
  decodeString,
  decodeTime,
  maximumUnknown,
  prefixPaths,
  type SteppingDecode,
  steppingContainer,
} from './typed-values.ts';

const decoders = new WeakMap<MessageType, Lazy<Decode>>();

/** Returns the decoder of a message from plain data. */
export const messageDecoder = (type: MessageType): Lazy<Decode> => lazilyOf(decoders, type, compileMessage);

const steppingDecoders = new WeakMap<MessageType, Lazy<SteppingDecode>>();

/** {@link messageDecoder} in steps, for large values: small ones are decoded faster without. */
export const steppingMessageDecoder = (type: MessageType): Lazy<SteppingDecode> =>
  lazilyOf(steppingDecoders, type, compileSteps);

/** Forms whose values have members or items that are decoded in steps; unions are schemas, of bounded size. */
const isLongForm = ({ form }: MessageType): boolean => form === 'object' || form === 'array';

function compileSteps(type: MessageType): SteppingDecode {
  if (type.form === 'object') return compileObject(type, true);
  if (type.form === 'array') return containerInSteps('list', goTypeName({ message: type }), type.items!);
  throw new Error(`${type.name} is not decoded in steps`);
}

function containerInSteps(form: 'list' | 'map', expected: string, type: ValueType): SteppingDecode {
  const zero = zeroOf(type);
  const container = steppingContainer(form);
  if (type.scalar !== undefined || !isLongForm(type.message))
    return container.ofPlain({ expected, item: valueDecoder(type), zero });
  const lazy = steppingMessageDecoder(type.message);
  return container.ofStepping({
    expected,
    item: (value, context, holder, key) => lazy.run(value, context, holder, key),
    zero,
  });
}

const scalarDecoders = {
  string: decodeString,
  boolean: decodeBoolean,
  int32: decodeInt32,
  int64: decodeInt64,
  double: decodeDouble,
  bytes: decodeBytes,
};
const scalarZeros = { string: '', boolean: false, int32: 0, int64: 0, double: 0, bytes: '' };

function valueDecoder(type: ValueType): Decode {
  if (type.scalar !== undefined) return scalarDecoders[type.scalar];
  const lazy = messageDecoder(type.message);
  return (value, context, container, key) => lazy.run(value, context, container, key);
}

/** The value of a null item or map value. */
function zeroOf(type: ValueType): () => unknown {
  if (type.scalar !== undefined) return () => scalarZeros[type.scalar];
  switch (type.message.form) {
    case 'object':
      return () => ({});
    case 'quantity':
      return () => '0';
    case 'intOrString':
      return () => 0;
    case 'duration':
      return () => '0s';
    case 'raw':
    case 'any':
    case 'unknown':
      return () => rawFromPlain(null);
    case 'array':
      return () => [];
    default:
      return () => null;
  }
}

const valuesOf = (expected: string, type: ValueType): ContainerValues<Decode> => ({
  expected,
  item: valueDecoder(type),
  zero: zeroOf(type),
});

function compileMessage(type: MessageType): Decode {
  switch (type.form) {
    case 'object':
      return compileObject(type);
    case 'time':
      return decodeTime;
    case 'microTime':
      return decodeMicroTime;
    case 'duration':
      return decodeDuration;
    case 'quantity':
      return decodeQuantity;
    case 'intOrString':
      return decodeIntOrString;
    case 'raw':
    case 'any':
    case 'unknown':
      return rawFromPlain;
    case 'groupVersion':
      return decodeString;
    case 'array':
      return decodeList(valuesOf(goTypeName({ message: type }), type.items!));
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return compileUnion(type);
  }
}

/**
 * The unions of JSON schema: an object is the schema, a list or a boolean the other member. In memory they
 * have the same form as in JSON.
 */
function compileUnion(type: MessageType): Decode {
  const schema = valueDecoder(type.fields.find(({ name }) => name === 'Schema')!.type);
  const other = type.fields.find(({ name }) => name !== 'Schema')!;
  const list = other.shape === 'list' ? decodeList(valuesOf(goFieldType(other), other.type)) : undefined;
  return (value, context) => {
    if (Array.isArray(value)) {
      if (list) return decodeOpaquely(list, value, context);
    } else if (typeof value === 'object') return decodeOpaquely(schema, value, context);
    if (list) return null;
    if (typeof value === 'boolean') return value;
    throw new DecodeError('boolean or JSON schema expected');
  };
}

/** Decodes a value of a type that decodes itself in kube-apiserver: strict decoding does not look inside. */
function decodeOpaquely(decode: Decode, value: unknown, context: Parameters<Decode>[1]): unknown {
  try {
    return decode(value, { ...context, unknown: [] }, {}, '');
  } catch (error) {
    if (error instanceof Mismatch) error.forgetFields();
    throw error;
  }
}

const EXTENSION = 'x-kubernetes-';

/** Extensions of schemas have a neutral spelling that is decoded like the usual one. */
const spellingsOf = (name: string): string[] =>
  name.startsWith(EXTENSION) ? [name, `x-cluster-${name.slice(EXTENSION.length)}`] : [name];

function compileObject(type: MessageType): Decode;
function compileObject(type: MessageType, inSteps: true): SteppingDecode;
/**
 * Generates the decoder of one struct: a loop over the present members, with one case for each known member.
 * @param inSteps the decoder is a generator
 */
function compileObject(type: MessageType, inSteps = false): Decode | SteppingDecode {
  const decode: (Decode | SteppingDecode)[] = [];
  const cases = [...type.byName.values()].map((field) => {
    const labels = spellingsOf(field.name).map((name) => `case ${JSON.stringify(name)}:`);
    return `${labels.join(' ')} ${fieldCode(field, decode, inSteps)} break;`;
  });
  if (type.typeMeta)
    for (const name of ['kind', 'apiVersion'])
      cases.push(`case '${name}': ${scalarCode(name, 'string', false)} break;`);
  const known = new Set([
    ...[...type.byName.keys()].flatMap(spellingsOf),
    ...(type.typeMeta ? ['kind', 'apiVersion'] : []),
  ]);
  const body = `return function${inSteps ? '*' : ''} (plain, context) {
  if (typeof plain !== 'object' || Array.isArray(plain)) throw mismatch(plain, goName);
  const unknown = context.unknown, out = {};
  let key;
  try {
    for (key in plain) {
      const value = plain[key];
      if (value === null || value === undefined) {
        if (value === null && !known.has(key) && unknown.length < maximumUnknown) unknown.push(key);
        continue;
      }
      switch (key) {
        ${cases.join('\n        ')}
        default: if (unknown.length < maximumUnknown) unknown.push(key);
      }
    }
  } catch (error) {
    if (error instanceof Mismatch) error.passing(struct, key, fields.get(key)?.goType);
    throw error;
  }
  return out;
};`;
  const scope = {
    decode,
    known,
    goName: goTypeName({ message: type }),
    struct: type.shortName,
    fields: type.byName,
    mismatch,
    Mismatch,
    decodeInteger,
    prefixPaths,
    maximumUnknown,
  };
  return new Function(...Object.keys(scope), body)(...Object.values(scope)) as Decode | SteppingDecode;
}

function fieldCode(field: Field, decode: (Decode | SteppingDecode)[], inSteps: boolean): string {
  const { name, shape, type, pointer } = field;
  if (shape === 'single' && type.scalar !== undefined && type.scalar !== 'bytes' && type.scalar !== 'double')
    return scalarCode(name, type.scalar, pointer);
  const stepping = inSteps ? steppingFieldDecoder(field) : undefined;
  const index = decode.push(stepping ?? fieldDecoder(field)) - 1;
  const call = `${stepping === undefined ? '' : 'yield* '}decode[${index}](value, context, plain, key)`;
  const target = `out[${JSON.stringify(name)}]`;
  if (type.scalar !== undefined) return `${target} = ${call};`;
  return `{ const before = unknown.length, member = ${call}; if (member !== null) ${target} = member; if (unknown.length !== before) prefixPaths(unknown, before, key); }`;
}

function fieldDecoder(field: Field): Decode {
  const { shape, type } = field;
  if (shape === 'single') return valueDecoder(type);
  return (shape === 'list' ? decodeList : decodeMap)(valuesOf(goFieldType(field), type));
}

/** The decoder in steps of a field that may be large; undefined for others. */
function steppingFieldDecoder(field: Field): SteppingDecode | undefined {
  const { shape, type } = field;
  if (shape !== 'single') return containerInSteps(shape, goFieldType(field), type);
  if (type.scalar !== undefined || !isLongForm(type.message)) return undefined;
  const lazy = steppingMessageDecoder(type.message);
  return (value, context, container, key) => lazy.run(value, context, container, key);
}

/** Scalars are checked inline. The zero value of a non-pointer field is the same as absence, as in Go. */
function scalarCode(
  name: string,
  scalar: 'string' | 'boolean' | 'int32' | 'int64',
  pointer: boolean,
): string {
  const target = `out[${JSON.stringify(name)}]`;
  if (scalar === 'string' || scalar === 'boolean') {
    const set = pointer ? `${target} = value;` : `{ if (value) ${target} = value; }`;
    return `if (typeof value === '${scalar}') ${set} else throw mismatch(value, '${scalar === 'string' ? 'string' : 'bool'}');`;
  }
  const number = `(typeof value === 'number' && (value | 0) === value && context.literals === undefined ? value | 0 : decodeInteger(value, context, plain, key, '${scalar}'))`;
  return pointer
    ? `${target} = ${number};`
    : `{ const number = ${number}; if (number !== 0) ${target} = number; }`;
}
