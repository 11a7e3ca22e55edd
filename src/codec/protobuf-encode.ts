import type { RawJson } from '../model/object.ts';
import type { Field, MessageType, ScalarType } from '../schema/message.ts';
import { keysBackwards, type ProtobufWriter } from './protobuf-writer.ts';

/** Writes the body of a message, last field first. */
type Encode = (writer: ProtobufWriter, value: never) => void;

/** An encoder that compiles itself when it first runs: types are recursive, and most are never used. */
export interface Encoder {
  run: Encode;
}

const encoders = new WeakMap<MessageType, Encoder>();

export function encoderOf(type: MessageType): Encoder {
  let encoder = encoders.get(type);
  if (encoder === undefined) {
    const lazy: Encoder = {
      run: (writer, value) => {
        lazy.run = compile(type);
        lazy.run(writer, value);
      },
    };
    encoder = lazy;
    encoders.set(type, encoder);
  }
  return encoder;
}

const wireTypes: Record<ScalarType, number> = { string: 2, bytes: 2, boolean: 0, int32: 0, int64: 0, double: 1 };

function tagCode(number: number, wireType: number): string {
  const tag = number * 8 + wireType;
  return tag < 128 ? `w.byte(${tag});` : `w.varint(${tag});`;
}

const scalarCode: Record<ScalarType, (value: string) => string> = {
  string: (value) => `w.string(${value});`,
  bytes: (value) => `w.base64(${value});`,
  boolean: (value) => `w.byte(${value} ? 1 : 0);`,
  int32: (value) => `w.integer(${value});`,
  int64: (value) => `w.integer(${value});`,
  double: (value) => `w.double(${value});`,
};

const scalarZero: Record<ScalarType, string> = { string: "''", bytes: "''", boolean: 'false', int32: '0', int64: '0', double: '0' };

function compile(type: MessageType): Encode {
  switch (type.form) {
    case 'object':
      return compileObject(type);
    case 'time':
      return (writer, text: string) => writer.time(text);
    case 'microTime':
      return (writer, text: string) => writer.microTime(text);
    case 'quantity':
      return (writer, text: string) => {
        writer.string(text);
        writer.byte(0x0a);
      };
    case 'intOrString':
      return (writer, value: number | string) => {
        writer.string(typeof value === 'string' ? value : '');
        writer.byte(0x1a);
        writer.integer(typeof value === 'string' ? 0 : value);
        writer.byte(0x10);
        writer.byte(typeof value === 'string' ? 1 : 0);
        writer.byte(0x08);
      };
    case 'raw':
    case 'any':
      return (writer, { text }: RawJson) => {
        if (text === 'null') return;
        writer.string(text);
        writer.byte(0x0a);
      };
    case 'array':
      return compileArray(type);
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return compileUnion(type);
    default:
      throw new Error(`${type.name} has no protobuf form`);
  }
}

/** What a form writes where nothing is set but the field is written all the same. */
const formZero: Partial<Record<MessageType['form'], string>> = { object: '{}', quantity: "'0'", intOrString: '0', array: '[]' };

class Generator {
  readonly encoders: Encoder[] = [];

  /** One value with its tag, after which the writer stands before the tag. */
  value(field: Pick<Field, 'number' | 'type'>, value: string): string {
    const { number, type } = field;
    if (type.scalar !== undefined) return `${scalarCode[type.scalar](value)} ${tagCode(number, wireTypes[type.scalar])}`;
    const encoder = `e[${this.encoders.push(encoderOf(type.message)) - 1}]`;
    return `{ const before = w.size; ${encoder}.run(w, ${value}); w.varint(w.size - before); ${tagCode(number, 2)} }`;
  }

  /** A field that holds nothing: its zero value. */
  private unset(field: Pick<Field, 'number' | 'type'>): string {
    const { type, number } = field;
    if (type.scalar !== undefined) return this.value(field, scalarZero[type.scalar]);
    const zero = formZero[type.message.form];
    return zero === undefined ? `w.byte(0); ${tagCode(number, 2)}` : this.value(field, zero);
  }

  field(field: Field): string {
    const { shape, type, number, writtenWhenUnset } = field;
    if (field.inline) return this.value(field, 'o');
    const read = `v = o[${JSON.stringify(field.name)}];`;
    const there = 'v !== undefined && v !== null';
    if (shape === 'list') {
      const zero = this.unset(field);
      return `${read} if (${there}) for (let i = v.length - 1; i >= 0; i--) { const x = v[i]; if (x === null || x === undefined) { ${zero} } else { ${this.value(field, 'x')} } }`;
    }
    if (shape === 'map') {
      const entry = { number: 2, type };
      const unset = type.scalar === 'bytes' ? '' : `else { ${this.unset(entry)} }`;
      return `${read} if (${there}) for (const k of keysBackwards(v)) { const x = v[k]; const start = w.size; if (x !== null && x !== undefined) { ${this.value(entry, 'x')} } ${unset} w.string(k); w.byte(10); w.varint(w.size - start); ${tagCode(number, 2)} }`;
    }
    return `${read} if (${there}) { ${this.value(field, 'v')} }${writtenWhenUnset ? ` else { ${this.unset(field)} }` : ''}`;
  }

  build(lines: string[]): Encode {
    return new Function('e', 'keysBackwards', `return function (w, o) { let v;\n${lines.join('\n')}\n};`)(this.encoders, keysBackwards) as Encode;
  }
}

function compileObject(type: MessageType): Encode {
  if (type.protobuf === undefined) throw new Error(`${type.name} has no protobuf form`);
  const generator = new Generator();
  const numbered = type.fields.filter(({ number }) => number > 0).sort((left, right) => right.number - left.number);
  return generator.build(numbered.map((field) => generator.field(field)));
}

/** A message whose only field is a list, which stands for the message in JSON. */
function compileArray(type: MessageType): Encode {
  const generator = new Generator();
  return generator.build([`for (let i = o.length - 1; i >= 0; i--) { ${generator.value({ number: 1, type: type.items! }, 'o[i]')} }`]);
}

/** The unions of JSON schemas: whichever member fits the value. With a schema, `Allows` is true. */
function compileUnion(type: MessageType): Encode {
  const generator = new Generator();
  const schema = type.fields.find(({ name }) => name === 'Schema')!;
  const other = type.fields.find(({ name }) => name !== 'Schema')!;
  const isSchema = 'typeof o === "object" && !Array.isArray(o)';
  const asSchema = `if (${isSchema}) { ${generator.value(schema, 'o')} }`;
  if (other.shape === 'list') return generator.build([`${asSchema} else for (let i = o.length - 1; i >= 0; i--) { ${generator.value(other, 'o[i]')} }`]);
  return generator.build([asSchema, generator.value(other, `(o !== false)`)]);
}
