/**
 * A header's value as clients mean it: Node shows its bytes as Latin-1, and names are UTF-8. Text that is no
 * Latin-1 has been decoded already; bytes that are no UTF-8 stay as they are.
 */
export function headerText(value: string): string {
  if (!/^[\x80-\xff\t -~]*$/.test(value)) return value;
  const text = Buffer.from(value, 'latin1').toString();
  return text.includes('\ufffd') ? value : text;
}

/** The key of an extra attribute in a header's name: percent-encoded; what isn't is taken as it is. */
export function headerKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
