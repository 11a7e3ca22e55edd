import { setMember } from '../model/object.ts';
import type { Field, MessageType, ScalarType, ValueType } from '../schema/message.ts';
import type { Steps } from '../steps/steps.ts';
import { COMPOUND_FORMS } from './compound-forms.ts';
import { hasKeys } from './json-presence.ts';
import { type Lazy, lazily, lazilyOf } from './lazy.ts';
import type { ProtobufReader } from './protobuf-reader.ts';

/** Decodes the body of a message up to `end` into its in-memory value. */
type Decode = (reader: ProtobufReader, end: number, into: object) => unknown;

/** {@link Decode} that pauses every few milliseconds. */
type SteppingDecode = (reader: ProtobufReader, end: number, into: object) => Steps<unknown>;

/** A decoder that is compiled on first use. */
export type Decoder = Lazy<Decode>;

const decoders = new WeakMap<MessageType, Decoder>();

export const decoderOf = (type: MessageType): Decoder => lazilyOf(decoders, type, compile);

const steppingDecoders = new WeakMap<MessageType, Lazy<SteppingDecode>>();

/** {@link decoderOf} in steps, for large messages: those of few fields are decoded faster without. */
export const steppingDecoderOf = (type: MessageType): Lazy<SteppingDecode> =>
  lazilyOf(steppingDecoders, type, compileSteps);

/** A decoder of an object message that skips some of its fields. */
export const decoderWithout = (type: MessageType, skipped: ReadonlySet<string>): Decoder =>
  lazily(() => compileObject(type, skipped));

const scalarCode: Record<
  ScalarType,
  { readonly wireType: number; readonly read: string; readonly zero: string }
> = {
  string: { wireType: 2, read: 'r.string(end)', zero: "''" },
  bytes: { wireType: 2, read: 'r.base64(end)', zero: "''" },
  boolean: { wireType: 0, read: 'r.boolean(end)', zero: 'false' },
  int32: { wireType: 0, read: 'r.int32(end)', zero: '0' },
  int64: { wireType: 0, read: 'r.int64(end)', zero: '0' },
  double: { wireType: 1, read: 'r.double(end)', zero: '0' },
};

/** Also free-form JSON takes long. */
const isLong = ({ form }: MessageType): boolean =>
  COMPOUND_FORMS.has(form) || form === 'raw' || form === 'any';

function compileSteps(type: MessageType): SteppingDecode {
  switch (type.form) {
    case 'object':
      return compileObject(type, new Set(), true) as SteppingDecode;
    case 'raw':
    case 'any':
      return (reader, end) => reader.readingRaw(end);
    case 'array':
      return compileArray(type, true) as SteppingDecode;
    default:
      return compileUnion(type, true) as SteppingDecode;
  }
}

function compile(type: MessageType): Decode {
  switch (type.form) {
    case 'object':
      return compileObject(type, new Set());
    case 'time':
      return (reader, end) => reader.time(end, false);
    case 'microTime':
      return (reader, end) => reader.time(end, true);
    case 'quantity':
      return (reader, end) => reader.quantity(end);
    case 'intOrString':
      return (reader, end) => reader.intOrString(end);
    case 'raw':
    case 'any':
      return (reader, end) => reader.raw(end);
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

/** The in-memory value of an empty message. */
const formZero: Partial<Record<MessageType['form'], string>> = {
  object: '{}',
  quantity: "'0'",
  intOrString: '0',
  array: '[]',
};

/** Generates the condition that a non-pointer field is not its zero value, which is the same as absence. */
function isSetCode(type: ValueType): string {
  if (type.scalar === 'bytes') return 'true';
  if (type.scalar === 'double') return 'v !== 0 || Object.is(v, -0)';
  if (type.scalar !== undefined) return `v !== ${scalarCode[type.scalar].zero}`;
  switch (type.message.form) {
    case 'object':
      return 'hasKeys(v)';
    case 'time':
    case 'microTime':
      return 'v !== null';
    case 'quantity':
      return "v !== '0'";
    case 'intOrString':
      return 'v !== 0';
    case 'raw':
    case 'any':
      return "v.text !== 'null'";
    default:
      return 'true';
  }
}

class DecoderWriter {
  readonly decoders: Lazy<Decode | SteppingDecode>[] = [];

  /** @param inSteps the decoder pauses between fields */
  constructor(
    readonly type: MessageType,
    private readonly inSteps: boolean,
  ) {}

  /** Generates an expression that reads one value; it may use `end`. */
  read(type: ValueType, into = '{}'): string {
    if (type.scalar !== undefined) return scalarCode[type.scalar].read;
    const pauses = this.inSteps && isLong(type.message);
    const decoder = pauses ? steppingDecoderOf(type.message) : decoderOf(type.message);
    const call = `d[${this.decoders.push(decoder) - 1}].run(r, r.delimited(end), ${type.message.form === 'object' ? into : 'undefined'})`;
    return pauses ? `(yield* ${call})` : call;
  }

  /** Code at the beginning of a field. */
  private get pause(): string {
    return this.inSteps ? 'if (r.isPause()) yield;' : '';
  }

  zero(type: ValueType): string {
    return type.scalar !== undefined ? scalarCode[type.scalar].zero : (formZero[type.message.form] ?? 'null');
  }

  cases(field: Field): string[] {
    const { number, shape, type } = field;
    const member = `o[${JSON.stringify(field.name)}]`;
    const wireType = type.scalar === undefined || shape === 'map' ? 2 : scalarCode[type.scalar].wireType;
    const labelled = (label: number, code: string): string =>
      `case ${number * 8 + label}: { ${code} break; }`;
    if (field.inline) return [labelled(2, `${this.read(type, 'o')};`)];
    if (shape === 'map') return [labelled(2, this.mapEntry(field))];
    if (shape === 'list') {
      const list = `(${member} ??= [])`;
      const one = labelled(wireType, `const v = ${this.read(type)}; ${list}.push(v);`);
      if (wireType === 2) return [one];
      return [
        one,
        labelled(
          2,
          `const list = ${list}; const inner = r.delimited(end); while (r.position < inner) { r.count(); list.push(${this.read(type).replace('(end)', '(inner)')}); }`,
        ),
      ];
    }
    const isSet = field.pointer || !field.writtenWhenUnset ? 'v !== null' : isSetCode(type);
    return [labelled(wireType, `const v = ${this.read(type)}; if (${isSet}) ${member} = v;`)];
  }

  private mapEntry({ name, type }: Field): string {
    const wireType = type.scalar === undefined ? 2 : scalarCode[type.scalar].wireType;
    const map = `(o[${JSON.stringify(name)}] ??= {})`;
    return `const outer = end; { const end = r.delimited(outer); let k = '', v;
      while (r.position < end) { ${this.pause} const tag = r.tag(end);
        if (tag === 10) k = r.string(end); else if (tag === ${16 + wireType}) v = ${this.read(type)}; else r.skip(tag, end, 'entry'); }
      if (v === undefined) v = ${this.zero(type)};
      const map = ${map}; if (k === '__proto__') setMember(map, k, v); else map[k] = v; }`;
  }

  build(cases: string[], known: ReadonlyMap<number, string>, result: string): Decode {
    const message = JSON.stringify(this.type.shortName);
    const body = `return function${this.inSteps ? '*' : ''} (r, end, o) {
  r.enter();
  while (r.position < end) {
    ${this.pause}
    const tag = r.tag(end);
    switch (tag) {
      ${cases.join('\n      ')}
      default: {
        const field = known.get(tag >>> 3);
        if (field !== undefined) throw r.wrongWireType(tag, ${message}, field);
        r.skip(tag, end, ${message});
        r.unknown++;
      }
    }
  }
  r.depth--;
  return ${result};
};`;
    return new Function('d', 'known', 'hasKeys', 'setMember', body)(
      this.decoders,
      known,
      hasKeys,
      setMember,
    ) as Decode;
  }
}

function compileObject(type: MessageType, skipped: ReadonlySet<string>, inSteps = false): Decode {
  if (type.protobuf === undefined) throw new Error(`${type.name} has no protobuf form`);
  const generator = new DecoderWriter(type, inSteps);
  const fields = type.fields.filter(({ number, name }) => number > 0 && !skipped.has(name));
  const known = new Map(fields.map(({ number, name }) => [number, name]));
  return generator.build(
    fields.flatMap((field) => generator.cases(field)),
    known,
    'o',
  );
}

/** A message whose only field is a list, which represents it in JSON. */
function compileArray(type: MessageType, inSteps = false): Decode {
  const generator = new DecoderWriter(type, inSteps);
  const decode = generator.build(
    [`case 10: o.push(${generator.read(type.items!)}); break;`],
    new Map([[1, 'items']]),
    'o',
  );
  return (reader, end) => decode(reader, end, []);
}

/** The unions of JSON schemas: the schema if present, otherwise the other member. */
function compileUnion(type: MessageType, inSteps = false): Decode {
  const generator = new DecoderWriter(type, inSteps);
  const cases = type.fields.flatMap((field) => generator.cases(field));
  const other = type.fields.find(({ name }) => name !== 'Schema')!;
  const otherwise = other.shape === 'list' ? 'null' : 'false';
  const decode = generator.build(
    cases,
    new Map(type.fields.map(({ number, name }) => [number, name])),
    `o.Schema ?? o.${other.name} ?? ${otherwise}`,
  );
  return (reader, end) => decode(reader, end, {});
}
