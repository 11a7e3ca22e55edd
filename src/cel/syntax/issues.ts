import type { Issue, SourceText } from '../errors.ts';

/** After this many syntax errors the parser gives up. */
const MAX_SYNTAX_ERRORS = 100;

/** Thrown to leave the parser; the issues say why. */
export class GiveUp {}

/** Collects what is wrong with a text while it is parsed. */
export class SyntaxIssues {
  readonly #source: SourceText;
  readonly #issues: Issue[] = [];
  #syntaxErrors = 0;

  constructor(source: SourceText) {
    this.#source = source;
  }

  get all(): readonly Issue[] {
    return this.#issues;
  }

  /** A text that the grammar does not allow, at an index of UTF-16 units. */
  syntax(index: number, message: string): void {
    if (this.#syntaxErrors >= MAX_SYNTAX_ERRORS) {
      this.#add(index, `Syntax error: More than ${MAX_SYNTAX_ERRORS} syntax errors`);
      throw new GiveUp();
    }
    this.#syntaxErrors++;
    this.#add(index, `Syntax error: ${message}`);
  }

  /** Something that the grammar allows and a literal, name or macro does not; `offset` in code points. */
  meaning(offset: number, message: string): void {
    this.#issues.push({ message, ...this.#source.placeOf(offset) });
  }

  giveUp(index: number, message: string): never {
    this.syntax(index, message);
    throw new GiveUp();
  }

  /** A limit that is not about any one place. */
  giveUpWithoutPlace(message: string): never {
    this.#issues.push({ message, line: -1, column: -1 });
    throw new GiveUp();
  }

  #add(index: number, message: string): void {
    this.#issues.push({ message, ...this.#source.placeOfIndex(index) });
  }
}
