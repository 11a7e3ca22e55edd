import { type Issue, MAX_ISSUES, type SourceText } from '../errors.ts';

/** After this many syntax errors the parser gives up. */
const MAX_SYNTAX_ERRORS = 100;

/** Thrown to leave the parser; the issues say why. */
export class ParseAborted {}

/** Collects what is wrong with a text while it is parsed. */
export class SyntaxIssues {
  readonly #source: SourceText;
  readonly #issues: Issue[] = [];
  #syntaxErrors = 0;
  #found = 0;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** The issues found first. */
  get kept(): readonly Issue[] {
    return this.#issues;
  }

  /** How many issues there were. */
  get found(): number {
    return this.#found;
  }

  /** A text that the grammar does not allow, at an index of UTF-16 units. */
  syntax(index: number, message: string): void {
    if (this.#syntaxErrors >= MAX_SYNTAX_ERRORS) {
      this.#add(`Syntax error: More than ${MAX_SYNTAX_ERRORS} syntax errors`, () =>
        this.#source.placeOfIndex(index),
      );
      throw new ParseAborted();
    }
    this.#syntaxErrors++;
    this.#add(`Syntax error: ${message}`, () => this.#source.placeOfIndex(index));
  }

  /** Something that the grammar allows and a literal, name or macro does not; `offset` in code points. */
  semantic(offset: number, message: string): void {
    this.#add(message, () => this.#source.placeOf(offset));
  }

  abort(index: number, message: string): never {
    this.syntax(index, message);
    throw new ParseAborted();
  }

  /** A limit that is not about any one place. */
  abortWithoutPosition(message: string): never {
    this.#add(message, () => ({ line: -1, column: -1 }));
    throw new ParseAborted();
  }

  /** Looking for a place reads the source, so only what is kept gets one. */
  #add(message: string, place: () => Pick<Issue, 'line' | 'column'>): void {
    this.#found++;
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ message, ...place() });
  }
}
