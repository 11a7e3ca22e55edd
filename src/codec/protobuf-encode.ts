import type { RawJson } from '../model/object.ts';
import type { Field, MessageType, ScalarType } from '../schema/message.ts';
import type { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { COMPOUND_FORMS } from './compound-forms.ts';
import { type Lazy, lazilyOf } from './lazy.ts';
import {
  keysBackwards,
  writeBase64,
  writeDouble,
  writeInteger,
  writeMicroTime,
  writeString,
  writeTime,
  writeVarint,
} from './protobuf-writer.ts';

/** Writes the body of a message before `position`, last field first, and returns the new position. */
type Encode = (buffer: Buffer, position: number, value: never) => number;

/** {@link Encode} that pauses after as many values as its pace says. */
type SteppingEncode = (buffer: Buffer, position: number, value: never, pace: Pace) => Steps<number>;

const encoders = new WeakMap<MessageType, Lazy<Encode>>();

export const encoderOf = (type: MessageType): Lazy<Encode> => lazilyOf(encoders, type, compile);

const steppingEncoders = new WeakMap<MessageType, Lazy<SteppingEncode>>();

/** {@link encoderOf} in steps, for large objects: small ones are encoded faster without. */
export const steppingEncoderOf = (type: MessageType): Lazy<SteppingEncode> =>
  lazilyOf(steppingEncoders, type, compileSteps);

function compileSteps(type: MessageType): SteppingEncode {
  const generator = new Generator(true);
  switch (type.form) {
    case 'object':
      return compileObject(type, generator) as SteppingEncode;
    case 'array':
      return compileArray(type, generator) as SteppingEncode;
    default:
      return compileUnion(type, generator) as SteppingEncode;
  }
}

function compile(type: MessageType): Encode {
  switch (type.form) {
    case 'object':
      return compileObject(type, new Generator()) as Encode;
    case 'time':
      return writeTime;
    case 'microTime':
      return writeMicroTime;
    case 'quantity':
      return writeWrapped;
    case 'intOrString':
      return writeIntOrString;
    case 'raw':
    case 'any':
      return (buffer, position, { text }: RawJson) =>
        text === 'null' ? position : writeWrapped(buffer, position, text);
    case 'array':
      return compileArray(type, new Generator()) as Encode;
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return compileUnion(type, new Generator()) as Encode;
    default:
      throw new Error(`${type.name} has no protobuf form`);
  }
}

/** A message whose only field is a string. */
function writeWrapped(buffer: Buffer, position: number, text: string): number {
  const next = writeString(buffer, position, text);
  buffer[next - 1] = 0x0a;
  return next - 1;
}

/** All three members are always written: the type, the number, the string. */
function writeIntOrString(buffer: Buffer, position: number, value: number | string): number {
  const isText = typeof value === 'string';
  let next = writeString(buffer, position, isText ? value : '');
  buffer[--next] = 0x1a;
  next = writeInteger(buffer, next, isText ? 0 : value);
  buffer[--next] = 0x10;
  buffer[--next] = isText ? 1 : 0;
  buffer[--next] = 0x08;
  return next;
}

const scalars: Record<
  ScalarType,
  { readonly wireType: number; readonly zero: string; readonly write: (value: string) => string }
> = {
  string: { wireType: 2, zero: "''", write: (value) => `p = writeString(b, p, ${value});` },
  bytes: { wireType: 2, zero: "''", write: (value) => `p = writeBase64(b, p, ${value});` },
  boolean: { wireType: 0, zero: 'false', write: (value) => `b[--p] = ${value} ? 1 : 0;` },
  int32: { wireType: 0, zero: '0', write: (value) => `p = writeInteger(b, p, ${value});` },
  int64: { wireType: 0, zero: '0', write: (value) => `p = writeInteger(b, p, ${value});` },
  double: { wireType: 1, zero: '0', write: (value) => `p = writeDouble(b, p, ${value});` },
};

/** Values written by a form for unset fields that are always written; other forms write a length of zero. */
const formZeros: Partial<Record<MessageType['form'], string>> = {
  object: '{}',
  quantity: "'0'",
  intOrString: '0',
  array: '[]',
};

/** Tags are known at compile time, so their bytes are constants, written last byte first. */
function tagCode(number: number, wireType: number): string {
  const bytes: number[] = [];
  let rest = number * 8 + wireType;
  for (; rest >= 128; rest >>>= 7) bytes.unshift((rest & 127) | 128);
  return [rest, ...bytes].map((byte) => `b[--p] = ${byte};`).join(' ');
}

type Written = Pick<Field, 'number' | 'type'>;

/** Generates the code of one encoder: `b` is the buffer, `p` the position, `o` the value. */
class Generator {
  private readonly encoders: Lazy<Encode | SteppingEncode>[] = [];

  /** @param inSteps the encoder pauses between the items of lists and maps */
  constructor(private readonly inSteps = false) {}

  /** Code at the beginning of an item. */
  get pause(): string {
    return this.inSteps ? 'if (pace.isPause()) yield;' : '';
  }

  value({ number, type }: Written, value: string): string {
    if (type.scalar !== undefined)
      return `${scalars[type.scalar].write(value)} ${tagCode(number, scalars[type.scalar].wireType)}`;
    const pauses = this.inSteps && COMPOUND_FORMS.has(type.message.form);
    const used = pauses ? steppingEncoderOf(type.message) : encoderOf(type.message);
    const encoder = `e${this.encoders.push(used) - 1}`;
    const run = pauses ? `yield* ${encoder}.run(b, p, ${value}, pace)` : `${encoder}.run(b, p, ${value})`;
    return `{ const after = p; p = ${run}; p = writeVarint(b, p, after - p); ${tagCode(number, 2)} }`;
  }

  private zero(written: Written): string {
    const { type, number } = written;
    if (type.scalar !== undefined) return this.value(written, scalars[type.scalar].zero);
    const zero = formZeros[type.message.form];
    return zero === undefined ? `b[--p] = 0; ${tagCode(number, 2)}` : this.value(written, zero);
  }

  field(field: Field): string {
    const { shape, type, number, writtenWhenUnset } = field;
    if (field.inline) return this.value(field, 'o');
    const read = `v = o[${JSON.stringify(field.name)}];`;
    if (shape === 'list') {
      return `${read} if (${isThere('v')}) for (let i = v.length - 1; i >= 0; i--) { ${this.pause} const x = v[i]; if (${isThere('x')}) ${block(this.value(field, 'x'))} else ${block(this.zero(field))} }`;
    }
    if (shape === 'map') {
      const entry = { number: 2, type };
      const unset = type.scalar === 'bytes' ? '' : `else ${block(this.zero(entry))}`;
      const value = `const x = v[k]; if (${isThere('x')}) ${block(this.value(entry, 'x'))} ${unset}`;
      const key = 'p = writeString(b, p, k); b[--p] = 10; p = writeVarint(b, p, end - p);';
      return `${read} if (${isThere('v')}) for (const k of keysBackwards(v)) { ${this.pause} const end = p; ${value} ${key} ${tagCode(number, 2)} }`;
    }
    return `${read} if (${isThere('v')}) ${block(this.value(field, 'v'))} ${writtenWhenUnset ? `else ${block(this.zero(field))}` : ''}`;
  }

  build(lines: string[]): Encode | SteppingEncode {
    const scope = { keysBackwards, writeBase64, writeDouble, writeInteger, writeString, writeVarint };
    const nested = this.encoders.map((_, index) => `e${index}`);
    const body = `return function${this.inSteps ? '*' : ''} (b, p, o, pace) { let v;\n${lines.join('\n')}\nreturn p; };`;
    return new Function(...Object.keys(scope), ...nested, body)(...Object.values(scope), ...this.encoders) as
      | Encode
      | SteppingEncode;
  }
}

const isThere = (value: string): string => `${value} !== undefined && ${value} !== null`;
const block = (code: string): string => `{ ${code} }`;

function compileObject(type: MessageType, generator: Generator): Encode | SteppingEncode {
  if (type.protobuf === undefined) throw new Error(`${type.name} has no protobuf form`);
  const numbered = type.fields
    .filter(({ number }) => number > 0)
    .sort((left, right) => right.number - left.number);
  return generator.build(numbered.map((field) => generator.field(field)));
}

/** A message whose only field is a list, which represents it in JSON. */
function compileArray(type: MessageType, generator: Generator): Encode | SteppingEncode {
  return generator.build([
    `for (let i = o.length - 1; i >= 0; i--) ${block(`${generator.pause} ${generator.value({ number: 1, type: type.items! }, 'o[i]')}`)}`,
  ]);
}

/** The unions of JSON schemas: the member that fits the value. With a schema, `Allows` is true. */
function compileUnion(type: MessageType, generator: Generator): Encode | SteppingEncode {
  const schema = type.fields.find(({ name }) => name === 'Schema')!;
  const other = type.fields.find(({ name }) => name !== 'Schema')!;
  const asSchema = `if (typeof o === 'object' && !Array.isArray(o)) ${block(generator.value(schema, 'o'))}`;
  if (other.shape === 'single') return generator.build([asSchema, generator.value(other, '(o !== false)')]);
  return generator.build([
    `${asSchema} else for (let i = o.length - 1; i >= 0; i--) ${block(`${generator.pause} ${generator.value(other, 'o[i]')}`)}`,
  ]);
}
