import { RawJson } from '../model/object.ts';
import { DecodeError } from './decode-error.ts';

/**
 * Free-form JSON data as {@link RawJson}: members in their order, integers exact.
 * @throws DecodeError where it is nested deeper than can be written
 */
export function rawFromPlain(value: unknown): RawJson {
  if (value instanceof RawJson) return value;
  try {
    return new RawJson(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('exceeded max depth');
    return new RawJson(textWithLongIntegers(value));
  }
}

/** JSON.stringify refuses bigint; only documents that have one come here. */
function textWithLongIntegers(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textWithLongIntegers).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${textWithLongIntegers(member)}`).join(',')}}`;
}
