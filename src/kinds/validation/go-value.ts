import { quote } from '../../errors/quote.ts';
import { getMember } from '../../model/object.ts';
import { DECIMAL_SUFFIXES, parseQuantity, type Quantity } from '../../model/quantity.ts';
import { formatGoIntOrString } from './format-value.ts';
import { goFieldsOf } from './go-types.ts';

/** Characters of a value; an error shows fewer. */
const MAXIMUM_CHARACTERS = 16 * 1024 + 1;

/** Go prints a pointer as its address, which differs between answers; here it is constant. */
const ADDRESS = '0xc000000000';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/**
 * Formats a value of the in-memory form like Go's `%#v` of its type, as kube-apiserver shows values in errors that
 * are not strings, numbers or booleans. Nested pointers are addresses. Ends with the characters that an error shows.
 * @param type a Go type: `core.Toleration`, `[]core.Taint`, `map[string]string`, `core.ResourceList` …
 */
export function formatGo(type: string, value: unknown): string {
  const writer = new Writer();
  writer.write(type, value);
  return writer.text;
}

class Writer {
  text = '';

  get #isFull(): boolean {
    return this.text.length > MAXIMUM_CHARACTERS;
  }

  write(type: string, value: unknown): void {
    if (this.#isFull) return;
    const absent = value === undefined || value === null;
    const fields = goFieldsOf(type);
    if (fields !== undefined) this.#writeStructure(type, value);
    else if (type.startsWith('*')) this.#writePointer(type.slice(1), absent);
    else if (type === '[]byte') this.#writeBytes(absent ? undefined : String(value));
    else if (type.startsWith('[]')) this.#writeList(type.slice(2), absent ? undefined : (value as unknown[]));
    else if (type === 'core.ResourceList') this.#writeMap(type, 'resource.Quantity', value);
    else if (type === 'map[string]string') this.#writeMap(type, 'string', value);
    else if (type === 'resource.Quantity') this.text += formatGoQuantity(absent ? '0' : String(value));
    else if (type === 'v1.Time') this.text += formatGoDate(absent ? undefined : String(value));
    else if (type === 'intstr.IntOrString') this.text += formatGoIntOrString(value as number | string);
    else if (type === 'int') this.text += absent ? '0' : String(value);
    else if (type === 'bool') this.text += value === true ? 'true' : 'false';
    else this.text += quote(absent ? '' : String(value).slice(0, MAXIMUM_CHARACTERS));
  }

  #writeStructure(type: string, value: unknown): void {
    const object = (value ?? {}) as Record<string, unknown>;
    this.text += `${type}{`;
    for (const [index, { name, member, type: fieldType }] of goFieldsOf(type)!.entries()) {
      if (this.#isFull) return;
      this.text += `${index === 0 ? '' : ', '}${name}:`;
      this.write(fieldType, member === undefined ? object : getMember(object, member));
    }
    this.text += '}';
  }

  #writePointer(type: string, absent: boolean): void {
    // A nil pointer to a time has a method that Go calls and that fails.
    if (type === 'v1.Time') this.text += absent ? '<nil>' : formatGoDate(undefined);
    else this.text += `(*${type})(${absent ? 'nil' : ADDRESS})`;
  }

  #writeList(type: string, list: readonly unknown[] | undefined): void {
    if (list === undefined) {
      this.text += `[]${type}(nil)`;
      return;
    }
    this.text += `[]${type}{`;
    for (const [index, element] of list.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.text += ', ';
      this.write(type, element);
    }
    this.text += '}';
  }

  #writeMap(type: string, valueType: string, value: unknown): void {
    if (value === undefined || value === null) {
      this.text += `${type}(nil)`;
      return;
    }
    this.text += `${type}{`;
    const map = value as Record<string, unknown>;
    for (const [index, key] of Object.keys(map).sort().entries()) {
      if (this.#isFull) return;
      this.text += `${index === 0 ? '' : ', '}${quote(key.slice(0, MAXIMUM_CHARACTERS))}:`;
      this.write(valueType, map[key]);
    }
    this.text += '}';
  }

  #writeBytes(base64: string | undefined): void {
    if (base64 === undefined) {
      this.text += '[]byte(nil)';
      return;
    }
    const bytes = Buffer.from(base64.slice(0, MAXIMUM_CHARACTERS), 'base64');
    this.text += `[]byte{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
  }
}

const BINARY_SUFFIX = /^(-?\d+)(Ki|Mi|Gi|Ti|Pi|Ei)$/;
const BINARY_SUFFIXES = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Formats a quantity like Go's `%#v` of a parsed text. */
export function formatGoQuantity(text: string): string {
  if (text === '0') return quantityOf('value:0, scale:0', text, '');
  const { unscaled, scale, format, exact }: Quantity = parseQuantity(text);
  const binary = BINARY_SUFFIX.exec(text);
  if (binary !== null) {
    const bits = 10 * (BINARY_SUFFIXES.indexOf(binary[2]!) + 1);
    return quantityOf(`value:${BigInt(binary[1]!) << BigInt(bits)}, scale:0`, text, format);
  }
  if (exact === true)
    return `resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(${ADDRESS})}, s:"", Format:${quote(format)}}`;
  const written = writtenAmount(text) ?? { value: unscaled, scale };
  return quantityOf(`value:${written.value}, scale:${written.scale}`, text, format);
}

/** Go keeps the digits as they are written, with the scale of the suffix: 500m is 500 and -3. */
function writtenAmount(text: string): { value: bigint; scale: number } | undefined {
  const parts = /^([+-]?\d{1,18})([numkMGTPE]?)$/.exec(text);
  return parts === null ? undefined : { value: BigInt(parts[1]!), scale: DECIMAL_SUFFIXES.get(parts[2]!)! };
}

const quantityOf = (amount: string, text: string, format: string): string =>
  `resource.Quantity{i:resource.int64Amount{${amount}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(text)}, Format:${quote(format)}}`;

/** Formats a time like Go's `%#v`; undefined is the zero time. */
function formatGoDate(text: string | undefined): string {
  if (text === undefined) return 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)';
  const date = new Date(text);
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].join(', ');
  return `time.Date(${date.getUTCFullYear()}, time.${MONTHS[date.getUTCMonth()]}, ${date.getUTCDate()}, ${clock}, 0, time.Local)`;
}
