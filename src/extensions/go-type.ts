import { isInt64 } from '../schema/structural/go-text.ts';

/** The Go type that a JSON value is decoded to, as errors name it. */
export function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isSafeInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return isInt64(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
