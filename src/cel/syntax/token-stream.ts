import type { Lexer } from './lexer.ts';
import type { Token } from './token.ts';

/** Tokens with look-ahead, read lazily from the lexer. */
export class TokenStream {
  readonly #lexer: Lexer;
  readonly #tokens: Token[] = [];
  /** The number of tokens consumed. */
  index = 0;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  /** The token `distance` ahead; 0 is the next one. */
  peek(distance = 0): Token {
    const wanted = this.index + distance;
    while (this.#tokens.length <= wanted) this.#tokens.push(this.#lexer.next());
    return this.#tokens[wanted]!;
  }

  consume(): Token {
    const token = this.peek();
    this.index++;
    return token;
  }
}
