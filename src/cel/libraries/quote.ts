import { GO_ESCAPES } from '../../errors/quote.ts';

/** A text in double quotes in the syntax of the expression language. */
export function quoteText(text: string): string {
  return `"${text.replace(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => GO_ESCAPES[character]!)}"`;
}
