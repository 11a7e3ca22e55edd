import { type Issue, MAX_ISSUES, type SourceText } from '../errors.ts';

/** The number of syntax errors after which the parser aborts. */
const MAX_SYNTAX_ERRORS = 100;

/** Thrown to abort the parser; the issues hold the reason. */
export class ParseAborted {}

/** Collects errors during parsing. */
export class SyntaxIssues {
  readonly #source: SourceText;
  readonly #issues: Issue[] = [];
  #syntaxErrors = 0;
  #found = 0;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** The issues kept, in the order found. */
  get kept(): readonly Issue[] {
    return this.#issues;
  }

  /** The total number of issues. */
  get found(): number {
    return this.#found;
  }

  /** A syntax error at an index in UTF-16 units. */
  syntax(index: number, message: string): void {
    if (this.#syntaxErrors >= MAX_SYNTAX_ERRORS) {
      this.#add(`Syntax error: More than ${MAX_SYNTAX_ERRORS} syntax errors`, () =>
        this.#source.positionOfIndex(index),
      );
      throw new ParseAborted();
    }
    this.#syntaxErrors++;
    this.#add(`Syntax error: ${message}`, () => this.#source.positionOfIndex(index));
  }

  /** A semantic error of a literal, name or macro; `offset` is in code points. */
  semantic(offset: number, message: string): void {
    this.#add(message, () => this.#source.positionOf(offset));
  }

  abort(index: number, message: string): never {
    this.syntax(index, message);
    throw new ParseAborted();
  }

  /** Aborts for a limit, without a position. */
  abortWithoutPosition(message: string): never {
    this.#add(message, () => ({ line: -1, column: -1 }));
    throw new ParseAborted();
  }

  /** Computing a position scans the source, so only issues that are kept get one. */
  #add(message: string, place: () => Pick<Issue, 'line' | 'column'>): void {
    this.#found++;
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ message, ...place() });
  }
}
