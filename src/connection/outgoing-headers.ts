/** Headers of an answer by lower-case name; the object has no prototype. */
export type OutgoingHeaders = Record<string, string | number | string[]>;

export const newOutgoingHeaders = (): OutgoingHeaders => Object.create(null);

const needsEncoding = /[^\t\x20-\x7e]/;

/**
 * A header value that is safe to send: line breaks and other control characters become spaces,
 * characters beyond ASCII their UTF-8 bytes (Node writes header strings as Latin-1).
 */
export function headerValue(value: string): string {
  if (!needsEncoding.test(value)) return value;
  return Buffer.from(value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, ' '), 'utf8').toString('latin1');
}

/** Sets a header, or adds a further value to it. `name` may have any case. */
export function setOutgoingHeader(headers: OutgoingHeaders, name: string, value: string, append: boolean): void {
  const key = name.toLowerCase();
  const safe = headerValue(value);
  const existing = append ? headers[key] : undefined;
  if (existing === undefined) headers[key] = safe;
  else headers[key] = Array.isArray(existing) ? [...existing, safe] : [String(existing), safe];
}

const canonicalNames = new Map<string, string>();
const CANONICAL_NAMES_KEPT = 256;

/** `content-type` → `Content-Type`, the usual spelling on HTTP/1.1. */
export function canonicalHeaderName(name: string): string {
  let canonical = canonicalNames.get(name);
  if (canonical === undefined) {
    canonical = name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
    if (canonicalNames.size < CANONICAL_NAMES_KEPT) canonicalNames.set(name, canonical);
  }
  return canonical;
}
