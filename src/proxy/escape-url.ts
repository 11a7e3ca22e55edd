import { posix } from 'node:path';
import type { Query } from '../request/query.ts';

const UNRESERVED = /[^A-Za-z0-9\-_.~]/;
/** Characters that Go leaves in a path. */
const PATH_LEGAL = /[^A-Za-z0-9\-_.~$&+,/:;=@]/;

/** Percent-encodes a decoded path as Go's `URL.EscapedPath`: an escaped slash becomes a plain one. */
export const escapePath = (path: string): string => percentEncode(path, PATH_LEGAL);

/** Encodes a query as Go's `url.Values.Encode`: sorted by name, the values of a name in their order. */
export function encodeQuery(query: Query): string {
  return encodePairs(
    [...query.names()].flatMap((name) => query.all(name).map((value) => [name, value] as const)),
  );
}

/** The same of names and values. */
export const encodePairs = (pairs: readonly (readonly [string, string])[]): string =>
  [...pairs]
    .sort(([left], [right]) => compareBytes(left, right))
    .map(([name, value]) => `${escapeQuery(name)}=${escapeQuery(value)}`)
    .join('&');

const escapeQuery = (text: string): string =>
  text
    .split(' ')
    .map((part) => percentEncode(part, UNRESERVED))
    .join('+');

function percentEncode(text: string, other: RegExp): string {
  if (!other.test(text)) return text;
  let escaped = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    escaped += other.test(character) ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}` : character;
  }
  return escaped;
}

const compareBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'));

/** The value of X-Forwarded-Uri: the path without double slashes and dots. */
export function forwardedUri(escapedPath: string): string {
  const joined = posix.join('/', escapedPath);
  return escapedPath.endsWith('/') && !joined.endsWith('/') ? `${joined}/` : joined;
}
