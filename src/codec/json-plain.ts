import { RawJson } from '../model/object.ts';
import { escapeHtml, jsonNumber, quoteJson, sortedKeys } from './json-string.ts';

const lowest = -(2n ** 63n);
const highest = 2n ** 63n - 1n;

/**
 * Writes untyped data as Go does: keys sorted, HTML characters escaped, int64 exact (larger integers are
 * doubles in Go). Undefined members are omitted.
 */
export function writePlain(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'number':
      return jsonNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value >= lowest && value <= highest ? value.toString() : jsonNumber(Number(value));
    case 'object':
      return value === null ? 'null' : writeContainer(value);
    default:
      return 'null';
  }
}

function writeContainer(value: object): string {
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index++)
      text += index === 0 ? writePlain(value[index]) : `,${writePlain(value[index])}`;
    return `${text}]`;
  }
  if (value instanceof RawJson) return escapeHtml(value.text);
  let text = '';
  for (const key of sortedKeys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text === '' ? '{' : ','}${quoteJson(key)}:${writePlain(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}
