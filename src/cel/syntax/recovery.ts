import type { SourceText } from '../errors.ts';
import { FOLLOW, type Site } from './follow.ts';
import type { SyntaxIssues } from './issues.ts';
import {
  contains,
  describeTokens,
  EPSILON,
  type Token,
  TokenKind,
  type TokenSet,
  tokenSet,
} from './token.ts';
import type { TokenStream } from './token-stream.ts';

/** How often the parser may recover in one expression. */
const MAX_RECOVERIES = 30;

/** The most tokens that one recovery skips. */
const MAX_SKIPPED = 256;

/** Thrown by the rule that cannot go on, and caught in the same rule, which then recovers. */
export class RuleFailure {
  /** Where in the grammar it failed: a recovery at the same token and state must consume something. */
  readonly state: number;
  readonly message: string;
  readonly token: Token;

  constructor(state: number, message: string, token: Token) {
    this.state = state;
    this.message = message;
    this.token = token;
  }
}

/**
 * What a parser does about tokens that do not fit: drop one if the next fits, pretend that a missing one is
 * there if what is there could follow it, or report and skip to a token with which one of the rules that are
 * open can go on. Until a token fits again nothing more is reported.
 */
export class Recovery {
  readonly #tokens: TokenStream;
  readonly #source: SourceText;
  readonly #issues: SyntaxIssues;
  /** The places from which the open rules were entered, outermost first. */
  readonly sites: Site[] = [];
  #recovering = false;
  #recoveries = 0;
  #lastIndex = -1;
  readonly #lastStates = new Set<number>();

  constructor(tokens: TokenStream, source: SourceText, issues: SyntaxIssues) {
    this.#tokens = tokens;
    this.#source = source;
    this.#issues = issues;
  }

  /** A token fitted: errors count again. */
  matched(): void {
    if (!this.#recovering) return;
    this.#recovering = false;
    this.#lastIndex = -1;
    this.#lastStates.clear();
  }

  /**
   * Before a choice: when the next token begins none of the alternatives, drops it if the one after it does,
   * else fails the rule.
   */
  require(expected: TokenSet, state: number): void {
    const next = this.#tokens.peek();
    if (this.#recovering || contains(expected, next.kind)) return;
    if (this.#dropOne(expected)) return;
    throw new RuleFailure(
      state,
      `mismatched input ${this.#display(next)} expecting ${describeTokens(expected)}`,
      next,
    );
  }

  /** After an iteration of a loop that may go on or not: skips what fits neither. */
  requireAfterIteration(expected: TokenSet): void {
    if (this.#recovering || contains(expected, this.#tokens.peek().kind)) return;
    this.#reportUnwanted(expected);
    this.#skipTo(expected | this.#recoverySet(), MAX_SKIPPED);
  }

  /**
   * The next token is not `kind`: returns the token to use in its place (undefined: one that is pretended),
   * or fails the rule. `after`: what may follow it.
   */
  matchInline(kind: TokenKind, after: TokenSet, state: number): Token | undefined {
    this.#countRecovery();
    const expected = tokenSet(kind);
    const next = this.#tokens.peek();
    if (this.#dropOne(expected)) return this.#tokens.consume();
    if (contains(this.#inContext(after), next.kind)) {
      this.#report(`missing ${describeTokens(expected)} at ${this.#display(next)}`, next);
      return undefined;
    }
    throw new RuleFailure(
      state,
      `mismatched input ${this.#display(next)} expecting ${describeTokens(expected)}`,
      next,
    );
  }

  /** A failure for a choice that `distance` tokens did not decide. */
  noAlternative(distance: number, state: number): RuleFailure {
    const start = this.#tokens.peek();
    const offending = this.#tokens.peek(distance);
    const text = start.kind === TokenKind.END ? '<EOF>' : this.#source.text.slice(start.start, offending.end);
    return new RuleFailure(state, `no viable alternative at input ${quote(text)}`, offending);
  }

  /** Reports the failure of a rule and skips to where an open rule can go on. */
  recover(failure: RuleFailure): void {
    this.#report(failure.message, failure.token);
    this.#countRecovery();
    let left = MAX_SKIPPED;
    if (
      this.#lastIndex === this.#tokens.index &&
      this.#lastStates.has(failure.state) &&
      this.#tokens.peek().kind !== TokenKind.END
    ) {
      this.#tokens.consume();
      left--;
    }
    this.#lastIndex = this.#tokens.index;
    this.#lastStates.add(failure.state);
    this.#skipTo(this.#recoverySet(), left);
  }

  #dropOne(expected: TokenSet): boolean {
    if (!contains(expected, this.#tokens.peek(1).kind)) return false;
    if (this.#tokens.peek().kind === TokenKind.END) return false;
    this.#reportUnwanted(expected);
    this.#tokens.consume();
    this.matched();
    return true;
  }

  #reportUnwanted(expected: TokenSet): void {
    const next = this.#tokens.peek();
    this.#report(`extraneous input ${this.#display(next)} expecting ${describeTokens(expected)}`, next);
  }

  #report(message: string, token: Token): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.#issues.syntax(token.start, message);
  }

  #countRecovery(): void {
    if (this.#recoveries === MAX_RECOVERIES)
      this.#issues.abort(
        this.#tokens.peek().start,
        `error recovery attempt limit exceeded: ${MAX_RECOVERIES}`,
      );
    this.#recoveries++;
  }

  #skipTo(set: TokenSet, most: number): void {
    for (let left = most; ; left--) {
      const { kind } = this.#tokens.peek();
      if (kind === TokenKind.END || contains(set, kind)) return;
      if (left <= 0)
        this.#issues.abortWithoutPosition(`error recovery token lookahead limit exceeded: ${MAX_SKIPPED}`);
      this.#tokens.consume();
    }
  }

  /** Everything that may follow any of the open rules. */
  #recoverySet(): TokenSet {
    let set = 0n;
    for (const site of this.sites) set |= FOLLOW[site]!;
    return set & ~EPSILON;
  }

  /** `set`, and if the end of the rule is reachable, what may follow the rules around it. */
  #inContext(set: TokenSet): TokenSet {
    let result = set;
    for (let depth = this.sites.length - 1; (result & EPSILON) !== 0n && depth >= 0; depth--)
      result = (result & ~EPSILON) | FOLLOW[this.sites[depth]!]!;
    return result;
  }

  #display(token: Token): string {
    return token.kind === TokenKind.END ? "'<EOF>'" : quote(this.#source.text.slice(token.start, token.end));
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
