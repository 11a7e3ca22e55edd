/** RE2 syntax that JavaScript does not support or writes differently; such patterns are not checked. */
const UNSUPPORTED = /\(\?[^:=!<]|\(\?P?<|\\[AzQECpPCx]|\[\[:/;

/** Longer patterns are refused: compiling one takes as long as its length, and all objects are matched with it. */
const MAXIMUM_LENGTH = 64 * 1024;

/**
 * Returns why a pattern cannot be compiled; undefined when it can, or when JavaScript does not support its
 * syntax.
 */
export function patternError(pattern: string): string | undefined {
  if (pattern.length > MAXIMUM_LENGTH) return 'error parsing regexp: expression too large';
  if (/\(\?(?:<?[=!])/.test(pattern)) {
    const operator = /\(\?<?[=!]/.exec(pattern)![0];
    return `error parsing regexp: invalid or unsupported Perl syntax: \`${operator}\``;
  }
  if (UNSUPPORTED.test(pattern)) return undefined;
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return `error parsing regexp: ${explain(pattern, (error as Error).message)}`;
  }
}

function explain(pattern: string, message: string): string {
  if (message.includes('Unterminated group')) return `missing closing ): \`${pattern}\``;
  if (message.includes('Unmatched')) return `unexpected ): \`${pattern}\``;
  if (message.includes('Unterminated character class'))
    return `missing closing ]: \`${pattern.slice(pattern.lastIndexOf('['))}\``;
  if (message.includes('Nothing to repeat'))
    return `missing argument to repetition operator: \`${/[*+?]/.exec(pattern)?.[0] ?? pattern}\``;
  if (message.includes('at end of pattern')) return 'trailing backslash at end of expression: ``';
  return `invalid regular expression: \`${pattern}\``;
}
