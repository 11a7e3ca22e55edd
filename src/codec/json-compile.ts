import type { Field, MessageType, ScalarType, ValueType } from '../schema/message.ts';
import type { Steps } from '../steps/steps.ts';
import type { JsonPieces } from './json-pieces.ts';
import { hasKeys, presence } from './json-presence.ts';
import { escapeHtml, jsonNumber, quoteJson, sortedKeys, sortingKeys } from './json-string.ts';
import { type Lazy, lazily } from './lazy.ts';

/** Writes one value, never undefined or null. */
export type Write = (value: never) => string;

/** {@link Write} in steps of some milliseconds; the text is added to the pieces. */
export type SteppingWrite = (out: JsonPieces, value: never) => Steps<void>;

/** The writers of a type: of one value, and of a list and a map of values. */
class Writers {
  readonly value: Lazy<Write>;
  readonly list: Lazy<Write>;
  readonly map: Lazy<Write>;
  readonly inSteps: Readonly<Record<Shape, Lazy<SteppingWrite>>>;

  constructor(type: ValueType) {
    this.value = lazily(() => compile('value', type, false) as Write);
    this.list = lazily(() => compile('list', type, false) as Write);
    this.map = lazily(() => compile('map', type, false) as Write);
    this.inSteps = {
      value: lazily(() => compile('value', type, true) as SteppingWrite),
      list: lazily(() => compile('list', type, true) as SteppingWrite),
      map: lazily(() => compile('map', type, true) as SteppingWrite),
    };
  }
}

type Shape = 'value' | 'list' | 'map';

const ofMessages = new WeakMap<MessageType, Writers>();
const ofScalars = new Map<ScalarType, Writers>();

function writersOf(type: ValueType): Writers {
  const known = type.scalar === undefined ? ofMessages.get(type.message) : ofScalars.get(type.scalar);
  if (known !== undefined) return known;
  const writers = new Writers(type);
  if (type.scalar === undefined) ofMessages.set(type.message, writers);
  else ofScalars.set(type.scalar, writers);
  return writers;
}

/** The JSON writer of a message. */
export const messageWriter = (type: MessageType): Lazy<Write> =>
  writersOf({ message: type } as ValueType).value;

/** How members of a struct are written, in order. */
interface MembersOptions {
  /** Whether kind and apiVersion of the object are written first. */
  readonly typeMeta?: boolean;
  /**
   * `braces`: as a whole object. `prefix`: each member is followed by a comma. `first` and `rest`: a comma precedes
   * each member, or each but the first.
   */
  readonly form: 'braces' | 'prefix' | 'first' | 'rest';
}

/** Compiles the writer of some members of a struct. */
export const compileMembers = (fields: readonly Field[], options: MembersOptions): Write =>
  new WriterCode(false).members(fields, options) as Write;

/** {@link compileMembers} in steps; compiled on first use, since most objects are small. */
export const compileMembersInSteps = (
  fields: readonly Field[],
  options: MembersOptions,
): Lazy<SteppingWrite> => lazily(() => new WriterCode(true).members(fields, options) as SteppingWrite);

const compile = (shape: Shape, type: ValueType, inSteps: boolean): unknown =>
  new WriterCode(inSteps)[shape](type);

const isNull = (name: string): string => `${name} === undefined || ${name} === null`;
const scalarText = (name: string): string => `typeof ${name} === 'string' ? quote(${name}) : String(${name})`;

/**
 * Generates writers: functions that return the text, or steps that add it to `out`. Both are made of the same code,
 * which adds to `text`, a variable or a member of `out`.
 */
class WriterCode {
  /** What the code refers to. */
  readonly #parts: unknown[] = [];
  readonly #inSteps: boolean;
  /** Where text is added. */
  readonly #text: string;

  constructor(inSteps: boolean) {
    this.#inSteps = inSteps;
    this.#text = inSteps ? 'out.text' : 'text';
  }

  /** One value, which is not null. */
  value(type: ValueType): unknown {
    const { message } = type;
    switch (message?.form) {
      case 'object':
        return this.members(message.jsonFields, { typeMeta: message.typeMeta, form: 'braces' });
      case 'array':
        return this.list(message.items!);
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStringArray':
        return this.#union(message);
      default:
        return this.#build(this.#write(type, 'value'));
    }
  }

  list(type: ValueType): unknown {
    return this.#build(`${this.#add("'['")}
      for (let index = 0; index < value.length; index++) {
        const item = value[index];
        if (index > 0) ${this.#add("','")}
        ${this.#writeItem(type)}
      }
      ${this.#add("']'")}`);
  }

  map(type: ValueType): unknown {
    const keys = this.#inSteps ? 'yield* sortingKeys(Object.keys(value))' : 'sortedKeys(value)';
    return this.#build(`let separator = '{';
      for (const key of ${keys}) {
        const item = value[key];
        ${this.#add("separator + quote(key) + ':'")}
        separator = ',';
        ${this.#writeItem(type)}
      }
      ${this.#add("separator === '{' ? '{}' : '}'")}`);
  }

  /**
   * A member is known to have a predecessor once an unconditional one precedes it; until then the separator is a
   * variable.
   */
  members(fields: readonly Field[], { typeMeta = false, form }: MembersOptions): unknown {
    const trailing = form === 'prefix';
    let preceded = form === 'rest';
    const member = (name: string, write: string): string => {
      const label = `${JSON.stringify(name)}:`;
      if (trailing) return `${this.#add(JSON.stringify(label))} ${write} ${this.#add("','")}`;
      if (preceded) return `${this.#add(JSON.stringify(`,${label}`))} ${write}`;
      return `${this.#add(`separator + ${JSON.stringify(label)}`)} separator = ','; ${write}`;
    };
    const lines: string[] = [];
    if (typeMeta)
      for (const name of ['kind', 'apiVersion'])
        lines.push(`if (value.${name}) { ${member(name, this.#add(`quote(value.${name})`))} }`);
    for (const field of fields) {
      lines.push(`item = value[${JSON.stringify(field.name)}];`);
      const written = member(field.name, this.#writeField(field));
      if (field.unsetJson === undefined) lines.push(`if (${presence(field, 'item')}) { ${written} }`);
      else {
        const unset = member(field.name, this.#add(JSON.stringify(field.unsetJson)));
        lines.push(`if (${isNull('item')}) { ${unset} } else { ${written} }`);
        preceded = true;
      }
    }
    const [open, close] = form === 'braces' ? [this.#add("'{'"), this.#add("'}'")] : ['', ''];
    return this.#build(`let separator = '', item; ${open} ${lines.join('\n')} ${close}`);
  }

  /** A union of a schema with a list or a boolean. */
  #union({ fields }: MessageType): unknown {
    const [schema, list] = [true, false].map(
      (isSchema) => fields.find(({ name }) => (name === 'Schema') === isSchema)!.type,
    );
    return this.#build(`if (typeof value === 'boolean') ${this.#add('value')}
      else if (Array.isArray(value)) { ${this.#call('list', list!, 'value')} }
      else { ${this.#write(schema!, 'value')} }`);
  }

  #writeField({ shape, type }: Field): string {
    return shape === 'single' ? this.#write(type, 'item') : this.#call(shape, type, 'item');
  }

  /** Writes the variable `item` of a list or map, which may be null, and pauses. */
  #writeItem(type: ValueType): string {
    const nullable =
      type.scalar === 'double'
        ? this.#write(type, 'item')
        : type.scalar === undefined
          ? `if (${isNull('item')}) ${this.#add("'null'")} else { ${this.#write(type, 'item')} }`
          : this.#add(scalarText('item'));
    return this.#inSteps ? `${nullable} if (out.endsStep()) yield;` : nullable;
  }

  /** Writes a variable that is not null. */
  #write(type: ValueType, name: string): string {
    if (type.scalar === 'double') return this.#add(`jsonNumber(${name})`);
    if (type.scalar === 'string' || type.scalar === 'bytes') return this.#add(`quote(${name})`);
    if (type.scalar !== undefined) return this.#add(name);
    switch (type.message.form) {
      case 'object':
      case 'array':
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStringArray':
        return this.#call('value', type, name);
      case 'raw':
      case 'any':
      case 'unknown':
        return this.#add(`escapeHtml(${name}.text)`);
      default:
        return this.#add(scalarText(name));
    }
  }

  /** Calls the writer of a variable; that of a value without lists, maps and objects writes it at once. */
  #call(shape: Shape, type: ValueType, name: string): string {
    const writers = writersOf(type);
    const inSteps = this.#inSteps && (shape !== 'value' || !isFlat(type));
    const part = `parts[${this.#parts.push(inSteps ? writers.inSteps[shape] : writers[shape]) - 1}]`;
    return inSteps ? `yield* ${part}.run(out, ${name});` : this.#add(`${part}.run(${name})`);
  }

  #add(text: string): string {
    return `${this.#text} += ${text};`;
  }

  #build(code: string): unknown {
    const body = this.#inSteps
      ? `return function* (out, value) { ${code} };`
      : `return function (value) { let text = ''; ${code} return text; };`;
    const scope = {
      parts: this.#parts,
      quote: quoteJson,
      jsonNumber,
      escapeHtml,
      hasKeys,
      sortedKeys,
      sortingKeys,
    };
    return new Function(...Object.keys(scope), body)(...Object.values(scope));
  }
}

const flat = new WeakMap<MessageType, boolean>();

/** Whether values of the type have no lists, maps and objects, so that each is written at once. */
function isFlat({ message }: ValueType): boolean {
  if (message === undefined) return true;
  let known = flat.get(message);
  if (known === undefined) {
    known =
      message.form === 'object'
        ? message.jsonFields.every(({ shape, type }) => shape === 'single' && isPlain(type))
        : isPlain({ message } as ValueType);
    flat.set(message, known);
  }
  return known;
}

const CONTAINERS = new Set(['object', 'array', 'schemaOrArray', 'schemaOrBool', 'schemaOrStringArray']);

const isPlain = ({ message }: ValueType): boolean => message === undefined || !CONTAINERS.has(message.form);
