/** Response headers: name, value, name, value …, names in lower case. A name may repeat. */
export type OutgoingHeaders = string[];

const needsEncoding = /[^\t\x20-\x7e]/;

/**
 * Sanitizes a header value: line breaks and other control characters become spaces, characters beyond ASCII
 * their UTF-8 bytes (Node writes header strings as Latin-1).
 */
export function headerValue(value: string): string {
  if (!needsEncoding.test(value)) return value;
  return Buffer.from(value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ' '), 'utf8').toString('latin1');
}

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Hop-by-hop headers, which this layer sets itself; HTTP/2 forbids them. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Headers that may be present only once; the first value is kept. */
const singleValued =
  /^(access-control-(allow-credentials|max-age|request-method)|age|authorization|content-(encoding|language|length|location|md5|range|type)|date|dnt|etag|expires|from|host|if-(match|modified-since|none-match|range|unmodified-since)|last-modified|location|max-forwards|proxy-authorization|range|referer|retry-after|tk|upgrade-insecure-requests|user-agent|x-content-type-options)$/;

/**
 * Sets a header, or adds a value to it. `name` may have any case. Names that cannot be sent and hop-by-hop
 * headers are ignored: proxied responses contain them.
 */
export function setOutgoingHeader(
  headers: OutgoingHeaders,
  name: string,
  value: string,
  append: boolean,
): void {
  const key = sendableName(name);
  if (key === undefined) return;
  const safe = headerValue(value);
  if (!append) replaceOutgoingHeader(headers, key, safe);
  else if (!hasOutgoingHeader(headers, key) || !singleValued.test(key)) headers.push(key, safe);
}

/** Sets a header, replacing all its values. @param key a valid lower-case name @param value a valid value */
export function replaceOutgoingHeader(headers: OutgoingHeaders, key: string, value: string): void {
  let kept = 0;
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index] === key) continue;
    headers[kept] = headers[index]!;
    headers[kept + 1] = headers[index + 1]!;
    kept += 2;
  }
  if (kept < headers.length) headers.length = kept;
  headers.push(key, value);
}

/** Whether a header is set. @param key the name in lower case */
export function hasOutgoingHeader(headers: OutgoingHeaders, key: string): boolean {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === key) return true;
  return false;
}

/** Headers by name; a name that repeats has a list of values. The object has no prototype. */
export function headersByName(
  headers: OutgoingHeaders,
  nameOf: (key: string) => string = (key) => key,
): Record<string, string | string[]> {
  const byName: Record<string, string | string[]> = Object.create(null);
  for (let index = 0; index < headers.length; index += 2) {
    const name = nameOf(headers[index]!);
    const value = headers[index + 1]!;
    const existing = byName[name];
    if (existing === undefined) byName[name] = value;
    else if (typeof existing === 'string') byName[name] = [existing, value];
    else existing.push(value);
  }
  return byName;
}

const sendableNames = new Map<string, string>();
const canonicalNames = new Map<string, string>();
const NAMES_KEPT = 256;

/** The name in lower case; undefined if it cannot be sent or is a hop-by-hop header. */
function sendableName(name: string): string | undefined {
  const known = sendableNames.get(name);
  if (known !== undefined) return known;
  const key = name.toLowerCase();
  if (!token.test(key) || connectionHeaders.has(key)) return undefined;
  if (sendableNames.size < NAMES_KEPT) sendableNames.set(name, key);
  return key;
}

/** `content-type` → `Content-Type`, the usual spelling on HTTP/1.1. */
export function canonicalHeaderName(name: string): string {
  let canonical = canonicalNames.get(name);
  if (canonical === undefined) {
    canonical = name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
    if (canonicalNames.size < NAMES_KEPT) canonicalNames.set(name, canonical);
  }
  return canonical;
}

let dateSecond = 0;
let dateText = '';

/** The present as the Date header has it. */
export function httpDate(): string {
  const now = Date.now();
  // The system clock can be set back.
  if (now - dateSecond >= 1000 || now < dateSecond) {
    dateSecond = now - (now % 1000);
    dateText = new Date(dateSecond).toUTCString();
  }
  return dateText;
}
