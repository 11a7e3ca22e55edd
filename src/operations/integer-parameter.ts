import { quote } from '../schema/structural/go-text.ts';
import { errors } from '../status/index.ts';

/** Parses an integer of 64 bits in a query, also an empty one. @throws ApiError 400 with the text of kube-apiserver */
export function parseIntegerParameter(text: string): number {
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
