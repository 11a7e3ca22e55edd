import { quote } from '../errors/quote.ts';
import { DecodeError } from './decode-error.ts';
import type { YamlEvents } from './yaml-events.ts';
import { resolvePlainScalar, type YamlScalar } from './yaml-scalar.ts';

const standardTag = 'tag:yaml.org,2002:';
const strictTags: readonly string[] = ['int', 'float', 'bool', 'null', 'timestamp'];

/** The value of the scalar that the parser has read. @throws DecodeError */
export function scalarOf({ tag, text, isPlain }: YamlEvents): YamlScalar {
  if (tag === '') return isPlain ? resolvePlainScalar(text) : { tag: 'str', value: text };
  return tag.startsWith(standardTag)
    ? tagged(tag.slice(standardTag.length), text)
    : { tag: 'str', value: text };
}

function tagged(name: string, text: string): YamlScalar {
  if (name === 'binary') return { tag: 'str', value: decodeBinary(text) };
  if (name === 'merge') return { tag: text === '<<' ? 'merge' : 'str', value: text };
  if (!strictTags.includes(name)) return { tag: 'str', value: text };
  const resolved = resolvePlainScalar(text);
  if (name === 'float' && resolved.tag === 'int') return { tag: 'float', value: Number(resolved.value) };
  if (resolved.tag !== name)
    throw new DecodeError(
      `yaml: cannot decode !!${resolved.tag === 'timestamp' ? 'str' : resolved.tag} \`${text.slice(0, 100)}\` as a !!${name}`,
    );
  return resolved;
}

/** The string encoded by a `!!binary` scalar; line breaks are ignored. @throws DecodeError */
function decodeBinary(text: string): string {
  const encoded = text.replace(/[\r\n]/g, '');
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    throw new DecodeError('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(encoded, 'base64').toString('utf8');
}

/** A value that JSON has. @throws DecodeError */
export function jsonValue({ value }: YamlScalar): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new DecodeError(
      `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    );
  return value;
}

/** The name in JSON of a key. @param member its value @throws DecodeError for keys that JSON cannot have */
export function keyName(key: unknown, member: unknown): string {
  if (key === null) throw unsupportedKey('%!s(<nil>)', '<nil>', member);
  if (typeof key === 'object') throw new DecodeError(`yaml: invalid map key: ${goSyntax(key)}`);
  if (typeof key === 'bigint' && key >= 2n ** 63n)
    throw unsupportedKey('uint64', `0x${key.toString(16)}`, member);
  return typeof key === 'number' && !Number.isSafeInteger(key) ? singleFloat(key) : String(key);
}

const unsupportedKey = (type: string, key: string, member: unknown): DecodeError =>
  new DecodeError(
    `unsupported map key of type: ${type}, key: ${key}, value: ${member === null ? '<nil>' : goSyntax(member)}`,
  );

/** Formats a number with as few digits as a float of 32 bits needs, as Go does. */
function singleFloat(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return Number.isNaN(single) ? '.nan' : single > 0 ? '.inf' : '-.inf';
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  return goFloat(Number(single.toPrecision(digits)));
}

/** Formats a number like Go's `%g`: with an exponent below -4, and from 21 or the number of digits on. */
export function goFloat(value: number): string {
  const [mantissa, power] = value.toExponential().split('e') as [string, string];
  const exponent = Number(power);
  const digits = mantissa.replace(/[-.]/g, '').length;
  if (exponent >= -4 && exponent < (digits > exponent ? Math.max(digits, 6) : 6)) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** The form of a key in messages. */
export const quotedKey = (value: unknown): string =>
  typeof value === 'string' ? quote(value) : String(value);

/** Values that are shown of a key. */
const SHOWN_VALUES = 64;

/** A value in the syntax of Go, as in its errors; a large one is shortened. */
function goSyntax(root: unknown): string {
  let shown = 0;
  const write = (value: unknown): string => {
    if (++shown > SHOWN_VALUES) return '...';
    if (value === null) return 'interface {}(nil)';
    if (typeof value === 'string') return quote(value.slice(0, 256));
    if (typeof value !== 'object') return String(value);
    if (Array.isArray(value)) return `[]interface {}{${value.slice(0, SHOWN_VALUES).map(write).join(', ')}}`;
    const members = Object.entries(value).slice(0, SHOWN_VALUES);
    return `map[interface {}]interface {}{${members.map(([key, member]) => `${quote(key.slice(0, 256))}:${write(member)}`).join(', ')}}`;
  };
  return write(root);
}
