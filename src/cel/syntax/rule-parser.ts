import type { SourceText } from '../errors.ts';
import type { Expression } from '../syntax.ts';
import type { TreeBuilder } from './builder.ts';
import { OpenRules } from './depth.ts';
import type { Site } from './follow.ts';
import type { SyntaxIssues } from './issues.ts';
import { Lexer } from './lexer.ts';
import type { Macros } from './macros.ts';
import { Recovery, RuleFailure } from './recovery.ts';
import type { Token, TokenKind, TokenSet } from './token.ts';
import { TokenStream } from './token-stream.ts';

/**
 * The common part of all grammar rules: tokens, position and error handling. Each rule that can fail catches
 * its own failure, lets `Recovery` skip, and returns any node: the tree of a text with errors is discarded.
 */
export abstract class RuleParser {
  protected readonly source: SourceText;
  protected readonly issues: SyntaxIssues;
  protected readonly build: TreeBuilder;
  protected readonly macros: Macros;
  protected readonly tokens: TokenStream;
  protected readonly recovery: Recovery;
  protected readonly open: OpenRules;
  /** Height of the last returned tree. */
  protected height = 0;
  readonly #hasPairs: boolean;
  /** The last index converted, and the number of surrogate pairs before it. */
  #counted = { index: 0, pairs: 0 };

  constructor(source: SourceText, issues: SyntaxIssues, build: TreeBuilder, macros: Macros) {
    this.source = source;
    this.issues = issues;
    this.build = build;
    this.macros = macros;
    this.tokens = new TokenStream(
      new Lexer(source.text, (start, text) => issues.syntax(start, `token recognition error at: '${text}'`)),
    );
    this.recovery = new Recovery(this.tokens, source, issues);
    this.open = new OpenRules(issues);
    this.#hasPairs = /[\ud800-\udbff]/.test(source.text);
  }

  protected next(): TokenKind {
    return this.tokens.peek().kind;
  }

  /** Consumes a token without checking its kind. */
  protected consume(): Token {
    this.recovery.matched();
    return this.tokens.consume();
  }

  /**
   * Consumes a token of a kind; undefined when it is missing and inserted. `after`: the tokens that can
   * follow it.
   */
  protected match(kind: TokenKind, after: TokenSet, state: number): Token | undefined {
    return this.next() === kind ? this.consume() : this.recovery.matchInline(kind, after, state);
  }

  protected recover(failure: unknown): void {
    if (!(failure instanceof RuleFailure)) throw failure;
    this.recovery.recover(failure);
  }

  protected enter(site: Site): void {
    this.recovery.sites.push(site);
  }

  protected leave(): void {
    this.recovery.sites.pop();
  }

  protected text(token: Token): string {
    return this.source.text.slice(token.start, token.end);
  }

  /** The offset of a token in code points. */
  protected positionOf(token: Token): number {
    if (!this.#hasPairs) return token.start;
    const from = Math.min(this.#counted.index, token.start);
    const before = from === token.start ? { index: 0, pairs: 0 } : this.#counted;
    const pairs =
      before.pairs +
      (this.source.text.slice(before.index, token.start).match(/[\udc00-\udfff]/g)?.length ?? 0);
    this.#counted = { index: token.start, pairs };
    return token.start - pairs;
  }

  /** A placeholder node at a syntax error. */
  protected errorNode(): Expression {
    return this.build.literal(0, { type: 'null' });
  }
}
