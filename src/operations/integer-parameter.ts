import type { Query } from '../request/query.ts';
import { quote } from '../schema/structural/go-text.ts';
import { errors } from '../status/index.ts';

/**
 * Parses a 64-bit integer parameter of a query; undefined if absent. An empty value is an error.
 * @throws ApiError 400 with the text of kube-apiserver
 */
export function integerParameter(query: Query, name: string): number | undefined {
  if (!query.has(name)) return undefined;
  const text = query.get(name);
  const problem = !/^[+-]?\d+$/.test(text)
    ? 'invalid syntax'
    : isInt64(text)
      ? undefined
      : 'value out of range';
  if (problem !== undefined) throw errors.badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${problem}`);
  return Number(text);
}

/** Digits of the greatest value; leading zeros are not counted. */
const MOST_DIGITS = 19;

function isInt64(text: string): boolean {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > MOST_DIGITS) return false;
  const value = BigInt(text.startsWith('-') ? `-${digits || 0}` : digits || 0);
  return BigInt.asIntN(64, value) === value;
}
