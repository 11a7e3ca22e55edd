import { staticNameIndex } from './static-table.ts';

/** How fields of one name are written (RFC 7541, section 6.2). */
export type Indexing = 'indexed' | 'changing' | 'secret';

/** What the encoder knows about a name. */
export interface FieldName {
  readonly name: string;
  /** Its index in the static table; 0 if it isn't there. */
  readonly index: number;
  readonly indexing: Indexing;
}

/** Values that proxies on the way must not store in a table either (RFC 7541, section 7.1.3). */
const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const SECRET_PREFIX = 'x-remote-';
/** Values that differ in nearly every response; entries for them would evict those that repeat. */
const CHANGING = new Set([
  'age',
  'audit-id',
  'content-length',
  'content-range',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'warning',
]);

/** Names that are remembered; more than this server sends by itself. */
const MOST_REMEMBERED = 256;
const remembered = new Map<string, FieldName>();

/** What the encoder knows about a lower-case name. */
export function fieldName(name: string): FieldName {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const created: FieldName = {
    name,
    index: staticNameIndex.get(name) ?? 0,
    indexing:
      SECRET.has(name) || name.startsWith(SECRET_PREFIX)
        ? 'secret'
        : CHANGING.has(name)
          ? 'changing'
          : 'indexed',
  };
  // Proxied responses have names that others choose.
  if (remembered.size < MOST_REMEMBERED) remembered.set(name, created);
  return created;
}
