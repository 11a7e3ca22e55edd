import { EPSILON, TokenKind as T, type TokenSet, tokenSet } from './token.ts';

/** Tokens that begin an expression. */
export const FIRST_EXPRESSION: TokenSet = tokenSet(
  T.LEFT_BRACKET,
  T.LEFT_BRACE,
  T.LEFT_PARENTHESIS,
  T.DOT,
  T.MINUS,
  T.NOT,
  T.TRUE,
  T.FALSE,
  T.NULL,
  T.FLOAT,
  T.INT,
  T.UINT,
  T.STRING,
  T.BYTES,
  T.IDENTIFIER,
);

/** Tokens that begin a primary or a signed literal. */
export const FIRST_PRIMARY: TokenSet = FIRST_EXPRESSION & ~tokenSet(T.NOT);

export const FIRST_OPTIONAL_EXPRESSION: TokenSet = FIRST_EXPRESSION | tokenSet(T.QUESTION_MARK);

const RELATION =
  tokenSet(T.EQUALS, T.NOT_EQUALS, T.IN, T.LESS, T.LESS_EQUALS, T.GREATER_EQUALS, T.GREATER) | EPSILON;
const CALCULATION = tokenSet(T.PLUS, T.MINUS, T.STAR, T.SLASH, T.PERCENT) | EPSILON;
const LIST = tokenSet(T.COMMA) | EPSILON;

/**
 * The grammar positions from which a rule is entered, with the tokens that can follow there when the rule
 * ends (`EPSILON`: also the end of the enclosing rule). The parser tracks the positions it is in; recovery
 * uses them to decide where to continue and whether inserting a token is plausible.
 */
export const Site = {
  START: 0,
  TERNARY_CONDITION: 1,
  TERNARY_THEN: 2,
  TERNARY_ELSE: 3,
  OR_OPERAND: 4,
  AND_OPERAND: 5,
  RELATION_OPERAND: 6,
  CALCULATION_OPERAND: 7,
  UNARY_MEMBER: 8,
  MEMBER_PRIMARY: 9,
  ARGUMENTS: 10,
  INDEX: 11,
  NESTED: 12,
  LIST_ELEMENTS: 13,
  BRACE_ENTRIES: 14,
  LITERAL: 15,
  LIST_ITEM: 16,
  OPTIONAL_OPERAND: 17,
  ENTRY_KEY: 18,
} as const;

export type Site = (typeof Site)[keyof typeof Site];

export const FOLLOW: readonly TokenSet[] = [
  tokenSet(T.END),
  tokenSet(T.QUESTION_MARK) | EPSILON,
  tokenSet(T.COLON),
  EPSILON,
  tokenSet(T.OR) | EPSILON,
  tokenSet(T.AND) | EPSILON,
  RELATION,
  CALCULATION,
  EPSILON,
  tokenSet(T.DOT, T.LEFT_BRACKET) | EPSILON,
  tokenSet(T.RIGHT_PARENTHESIS),
  tokenSet(T.RIGHT_BRACKET),
  tokenSet(T.RIGHT_PARENTHESIS),
  tokenSet(T.RIGHT_BRACKET, T.COMMA),
  tokenSet(T.RIGHT_BRACE, T.COMMA),
  EPSILON,
  LIST,
  EPSILON,
  tokenSet(T.COLON),
];
