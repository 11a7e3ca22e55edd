/** The kinds of tokens, in the order in which messages list expected tokens. */
export const TokenKind = {
  END: 0,
  EQUALS: 1,
  NOT_EQUALS: 2,
  IN: 3,
  LESS: 4,
  LESS_EQUALS: 5,
  GREATER_EQUALS: 6,
  GREATER: 7,
  AND: 8,
  OR: 9,
  LEFT_BRACKET: 10,
  RIGHT_BRACKET: 11,
  LEFT_BRACE: 12,
  RIGHT_BRACE: 13,
  LEFT_PARENTHESIS: 14,
  RIGHT_PARENTHESIS: 15,
  DOT: 16,
  COMMA: 17,
  MINUS: 18,
  NOT: 19,
  QUESTION_MARK: 20,
  COLON: 21,
  PLUS: 22,
  STAR: 23,
  SLASH: 24,
  PERCENT: 25,
  TRUE: 26,
  FALSE: 27,
  NULL: 28,
  FLOAT: 29,
  INT: 30,
  UINT: 31,
  STRING: 32,
  BYTES: 33,
  IDENTIFIER: 34,
} as const;

export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

const NAMES = [
  '<EOF>',
  ...[
    '==',
    '!=',
    'in',
    '<',
    '<=',
    '>=',
    '>',
    '&&',
    '||',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    '.',
    ',',
    '-',
    '!',
    '?',
    ':',
    '+',
    '*',
    '/',
    '%',
    'true',
    'false',
  ].map((text) => `'${text}'`),
  "'null'",
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];

/** A token; `start` and `end` are indices of UTF-16 units in the source. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/** A set of token kinds: bit k is kind k; `EPSILON` means that the end of the rule is reachable. */
export type TokenSet = bigint;

export const EPSILON: TokenSet = 1n << 40n;

export const tokenSet = (...kinds: readonly TokenKind[]): TokenSet =>
  kinds.reduce((set, kind) => set | (1n << BigInt(kind)), 0n);

export const contains = (set: TokenSet, kind: TokenKind): boolean => ((set >> BigInt(kind)) & 1n) === 1n;

/** The set as messages print it: one name, or several in braces. */
export function describeTokens(set: TokenSet): string {
  const names = NAMES.filter((_, kind) => ((set >> BigInt(kind)) & 1n) === 1n);
  return names.length === 1 ? names[0]! : `{${names.join(', ')}}`;
}
