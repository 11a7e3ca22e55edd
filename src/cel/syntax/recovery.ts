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

/** The maximum number of recoveries in one expression. */
const MAX_RECOVERIES = 30;

/** A literal word where a name must follow a character, as in `.true`; the reference names it alone. */
const AFTER_ONE_CHARACTER = /^.(true|false|null)$/u;

/** The maximum number of tokens that one recovery skips. */
const MAX_SKIPPED = 256;

/** Thrown and caught within a rule that cannot continue; the rule then recovers. */
export class RuleFailure {
  /** The grammar state of the failure: a second recovery at the same token and state must consume a token. */
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
 * Error recovery: drops a token if the next one fits, inserts a missing token if the current one can follow
 * it, or reports the error and skips to a token at which an open rule can continue. Further errors are
 * suppressed until a token matches.
 */
export class Recovery {
  readonly #tokens: TokenStream;
  readonly #source: SourceText;
  readonly #issues: SyntaxIssues;
  /** The grammar positions from which the open rules were entered, outermost first. */
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

  /** A token matched: errors are reported again. */
  matched(): void {
    if (!this.#recovering) return;
    this.#recovering = false;
    this.#lastIndex = -1;
    this.#lastStates.clear();
  }

  /**
   * Before a choice: when the next token starts none of the alternatives, drops it if the following one does,
   * otherwise fails the rule.
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

  /** After an iteration of an optional loop: skips tokens that neither continue nor end it. */
  requireAfterIteration(expected: TokenSet): void {
    if (this.#recovering || contains(expected, this.#tokens.peek().kind)) return;
    this.#reportUnwanted(expected);
    this.#skipTo(expected | this.#recoverySet(), MAX_SKIPPED);
  }

  /**
   * The next token is not `kind`: returns the token to use instead (undefined for an inserted one), or fails
   * the rule. `after`: the tokens that can follow it.
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

  /** A failure for a choice that a look-ahead of `distance` tokens did not decide. */
  noAlternative(distance: number, state: number): RuleFailure {
    const start = this.#tokens.peek();
    const offending = this.#tokens.peek(distance);
    const text = start.kind === TokenKind.END ? '<EOF>' : this.#source.text.slice(start.start, offending.end);
    const [, keyword] = AFTER_ONE_CHARACTER.exec(text) ?? [];
    const message =
      keyword === undefined
        ? `no viable alternative at input ${quote(text)}`
        : `mismatched input '${keyword}' expecting IDENTIFIER`;
    return new RuleFailure(state, message, offending);
  }

  /** Reports the failure of a rule and skips to a token at which an open rule can continue. */
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

  /** All tokens that can follow any of the open rules. */
  #recoverySet(): TokenSet {
    let set = 0n;
    for (const site of this.sites) set |= FOLLOW[site]!;
    return set & ~EPSILON;
  }

  /** `set`, and if the end of the rule is reachable, the tokens that can follow the enclosing rules. */
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
