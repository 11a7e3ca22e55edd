import { quote } from '../../errors/quote.ts';
import { SHOWN_CHARACTERS } from '../../errors/shown.ts';
import { isContainer, type JsonObject } from './json.ts';

const MAXIMUM_INT64 = 2n ** 63n - 1n;
const MINIMUM_INT64 = -(2n ** 63n);

/** Returns whether a bigint is an int64; larger integers are decoded as floating-point numbers. */
export const isInt64 = (value: bigint): boolean => value >= MINIMUM_INT64 && value <= MAXIMUM_INT64;

/** Formats a number like Go's `%v` of an int64 or, for fractions and large numbers, of a float64. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint') return isInt64(value) ? String(value) : floatText(Number(value));
  return Number.isSafeInteger(value) ? String(value + 0) : floatText(value);
}

/** Formats a number like Go's `%v` of a float64: the shortest digits, with an exponent from 1e+06. */
export function floatText(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Characters of a long value that {@link plainText} formats. */
const FORMATTED_CHARACTERS = 16 * 1024;

/**
 * Formats a value like Go's `%v`: `map[a:1 b:[x y]]`. Of a long value only the beginning is formatted; it is read
 * no deeper than that.
 */
export function plainText(value: unknown, characters = FORMATTED_CHARACTERS): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  if (!isContainer(value)) return String(value);
  const start = Array.isArray(value) ? '[' : 'map[';
  let text = start;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value).sort()) {
    if (text !== start) text += ' ';
    if (typeof name === 'string') text += `${name}:`;
    if (text.length > characters) return text;
    text += plainText((value as JsonObject)[name], characters - text.length);
  }
  return `${text}]`;
}

/**
 * Formats a value of a field error: texts quoted, null as `"null"`, numbers and booleans as they are, lists and
 * objects like Go's `%#v`.
 */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '"null"';
  return isContainer(value) ? containerText(value) : scalarText(value);
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  return value === null || value === undefined ? 'interface {}(nil)' : String(value);
}

/** Not recursive, so that depth uses no stack. Ends soon after what errors show. */
function containerText(container: object): string {
  let text = '';
  const rest: (string | { readonly value: unknown })[] = [{ value: container }];
  while (rest.length > 0 && text.length <= SHOWN_CHARACTERS) {
    const part = rest.pop()!;
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const { value } = part;
    if (Array.isArray(value)) {
      rest.push('}');
      for (let index = value.length - 1; index >= 0; index -= 1) {
        rest.push({ value: value[index] });
        if (index > 0) rest.push(', ');
      }
      rest.push('[]interface {}{');
    } else if (isContainer(value)) {
      rest.push('}');
      const names = Object.keys(value).sort();
      for (let index = names.length - 1; index >= 0; index -= 1) {
        rest.push({ value: (value as JsonObject)[names[index]!] });
        rest.push(`${index > 0 ? ', ' : ''}${quote(names[index]!)}:`);
      }
      rest.push('map[string]interface {}{');
    } else text += scalarText(value);
  }
  return text;
}
