import { quote } from '../errors/quote.ts';
import { parseGoInt64 } from '../model/go-integer.ts';
import type { Query } from '../request/query.ts';
import { errors } from '../status/index.ts';

/**
 * Parses a 64-bit integer parameter of a query; undefined if absent. An empty value is an error.
 * @throws ApiError 400 with the text of kube-apiserver
 */
export function integerParameter(query: Query, name: string): number | undefined {
  if (!query.has(name)) return undefined;
  const text = query.get(name);
  const value = parseGoInt64(text);
  if (typeof value === 'string')
    throw errors.badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${value}`);
  return Number(text);
}
