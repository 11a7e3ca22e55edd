const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text in double quotes in the syntax of the expression language. */
export function quoteText(text: string): string {
  return `"${text.replace(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => ESCAPES[character]!)}"`;
}
