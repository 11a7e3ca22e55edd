/**
 * Decodes a header value as UTF-8; Node exposes its bytes as Latin-1. A value with other characters is
 * already decoded; invalid UTF-8 is returned unchanged.
 */
export function headerText(value: string): string {
  if (!/^[\x80-\xff\t -~]*$/.test(value)) return value;
  const text = Buffer.from(value, 'latin1').toString();
  return text.includes('\ufffd') ? value : text;
}

/** Decodes the percent-encoded key of an extra attribute in a header name; invalid escapes are kept. */
export function headerKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
