/**
 * Syntax that the reference's expressions have and JavaScript's spell otherwise or lack: what uses it cannot
 * be judged here.
 */
const FOREIGN = /\(\?[^:=!<]|\(\?P?<|\\[AzQECpPCx]|\[\[:/;

/**
 * Why a regular expression cannot be compiled, or undefined when it can or when its syntax is not
 * JavaScript's.
 */
export function patternError(pattern: string): string | undefined {
  if (/\(\?(?:<?[=!])/.test(pattern)) {
    const operator = /\(\?<?[=!]/.exec(pattern)![0];
    return `error parsing regexp: invalid or unsupported Perl syntax: \`${operator}\``;
  }
  if (FOREIGN.test(pattern)) return undefined;
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
