/** Kinds of tokens. */
export const token = {
  streamEnd: 0,
  version: 1,
  tagDirective: 2,
  documentStart: 3,
  documentEnd: 4,
  blockSequence: 5,
  blockMapping: 6,
  blockEnd: 7,
  flowSequence: 8,
  flowSequenceEnd: 9,
  flowMapping: 10,
  flowMappingEnd: 11,
  blockEntry: 12,
  flowEntry: 13,
  key: 14,
  value: 15,
  alias: 16,
  anchor: 17,
  tag: 18,
  scalar: 19,
} as const;

/** A token of a document. */
export interface Token {
  readonly kind: number;
  /** Line of its beginning, from 0. */
  readonly line: number;
  /** Text of a scalar, name of an anchor or alias, handle of a tag, version. */
  readonly text: string;
  /** Suffix of a tag, prefix of a tag directive. */
  readonly suffix: string;
  /** Whether a scalar is plain. */
  readonly isPlain: boolean;
}

/** The tokens that a scanner has read and the parser has not taken. */
export class TokenQueue {
  private readonly tokens: Token[] = [];
  private head = 0;
  /** Number of tokens that were taken. */
  taken = 0;

  /** Number of the next token that will be added. */
  get next(): number {
    return this.taken + this.tokens.length - this.head;
  }

  /** The next token to take; undefined if there is none yet. */
  peek(): Token | undefined {
    return this.tokens[this.head];
  }

  add(next: Token): void {
    this.tokens.push(next);
  }

  /** Inserts a token before the one with a number. */
  insert(number: number, inserted: Token): void {
    this.tokens.splice(this.head + number - this.taken, 0, inserted);
  }

  /** Takes the next token. */
  skip(): void {
    this.taken++;
    if (++this.head < 64) return;
    this.tokens.splice(0, this.head);
    this.head = 0;
  }
}
