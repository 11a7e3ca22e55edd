/**
 * Whether a text splits into a host and a port the way Go's `net.SplitHostPort` does: one colon, or an
 * address in brackets before the last one. Neither part is checked, and both may be empty.
 */
export function isHostAndPort(text: string): boolean {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return false;
  if (!text.startsWith('[')) return text.indexOf(':') === colon && !/[[\]]/.test(text);
  const end = text.indexOf(']');
  return end >= 0 && end + 1 === colon && !text.slice(1).includes('[') && !text.slice(end + 1).includes(']');
}
