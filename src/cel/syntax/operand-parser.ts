import type { Call, Constant, Expression, MapEntry, MessageField } from '../syntax.ts';
import { FIRST_EXPRESSION, FIRST_OPTIONAL_EXPRESSION, FIRST_PRIMARY, Site } from './follow.ts';
import {
  bytesConstant,
  doubleConstant,
  intConstant,
  stringConstant,
  uintConstant,
} from './literal-values.ts';
import { expandMacro } from './macros.ts';
import { isReserved } from './reserved.ts';
import { RuleParser } from './rule-parser.ts';
import {
  contains,
  EPSILON,
  TokenKind as T,
  type Token,
  type TokenKind,
  type TokenSet,
  tokenSet,
} from './token.ts';

const MEMBER_END: TokenSet = tokenSet(T.DOT, T.LEFT_BRACKET) | EPSILON;
const FIELD_START: TokenSet = tokenSet(T.QUESTION_MARK, T.IDENTIFIER);
const ARGUMENTS_START: TokenSet = FIRST_EXPRESSION | tokenSet(T.RIGHT_PARENTHESIS);
const LIST_START: TokenSet = FIRST_OPTIONAL_EXPRESSION | tokenSet(T.COMMA, T.RIGHT_BRACKET);
const LIST_END: TokenSet = tokenSet(T.COMMA, T.RIGHT_BRACKET);
const MAP_START: TokenSet = FIRST_OPTIONAL_EXPRESSION | tokenSet(T.COMMA, T.RIGHT_BRACE);
const MESSAGE_START: TokenSet = FIELD_START | tokenSet(T.COMMA, T.RIGHT_BRACE);
const BRACE_END: TokenSet = tokenSet(T.COMMA, T.RIGHT_BRACE);

/** An operand with an optional `?` in front. */
interface OptionalOperand {
  readonly optional: boolean;
  readonly value: Expression;
}

/** The rules of operands: members, calls, names, literals, lists, maps and messages. */
export abstract class OperandParser extends RuleParser {
  /** A whole expression, as inside brackets and between commas. */
  protected abstract expression(site: Site): Expression;

  /** primary {.field | .?field | .method(arguments) | [index] | [?index]} */
  protected member(): Expression {
    const depth = this.open.member;
    this.enter(Site.UNARY_MEMBER);
    this.open.check(++this.open.member);
    let result = this.#primary();
    try {
      for (let kind = this.next(); kind === T.DOT || kind === T.LEFT_BRACKET; kind = this.next()) {
        this.open.check(++this.open.member);
        result = kind === T.DOT ? this.#afterDot(result) : this.#index(result);
      }
    } catch (failure) {
      this.recover(failure);
    }
    this.open.member = depth;
    this.leave();
    return result;
  }

  #afterDot(operand: Expression): Expression {
    const second = this.tokens.peek(1).kind;
    if (second !== T.IDENTIFIER && second !== T.QUESTION_MARK) throw this.recovery.noAlternative(1, 5);
    const dot = this.positionOf(this.consume());
    const optional = second === T.QUESTION_MARK;
    if (optional) this.consume();
    const name = this.match(T.IDENTIFIER, MEMBER_END, 6);
    this.height++;
    if (name === undefined) return this.errorNode();
    const field = this.text(name);
    if (optional) {
      return this.build.call(
        dot,
        '_?._',
        operand,
        this.build.literal(this.positionOf(name), { type: 'string', value: field }),
      );
    }
    return this.next() === T.LEFT_PARENTHESIS
      ? this.#callOf(operand, field)
      : this.build.select(dot, operand, field);
  }

  /** The rest of a call: `(arguments)`. A missing opening parenthesis is the caller's error. */
  #callOf(target: Expression | undefined, name: string): Expression {
    const position = this.positionOf(this.consume());
    let height = this.height;
    let args: readonly Expression[] = [];
    let failure: unknown;
    try {
      this.recovery.require(ARGUMENTS_START, 7);
      if (contains(FIRST_EXPRESSION, this.next())) args = this.#arguments();
      height = Math.max(height, this.height);
      this.match(T.RIGHT_PARENTHESIS, MEMBER_END, 8);
    } catch (thrown) {
      failure = thrown;
    }
    this.height = height;
    const call: Call = { kind: 'call', id: this.build.id(position), function: name, target, arguments: args };
    const expanded = expandMacro(call, this.macros, this.build, (id, message) =>
      this.issues.semantic(this.build.positionOf(id), message),
    );
    if (failure !== undefined) throw failure;
    return expanded;
  }

  #arguments(): readonly Expression[] {
    this.enter(Site.ARGUMENTS);
    const args = [this.expression(Site.LIST_ITEM)];
    let height = this.height;
    while (this.next() === T.COMMA) {
      this.consume();
      args.push(this.expression(Site.LIST_ITEM));
      height = Math.max(height, this.height);
    }
    this.height = height;
    this.leave();
    return args;
  }

  #index(operand: Expression): Expression {
    const position = this.positionOf(this.consume());
    const height = this.height;
    this.recovery.require(FIRST_OPTIONAL_EXPRESSION, 9);
    const optional = this.next() === T.QUESTION_MARK;
    if (optional) this.consume();
    const index = this.expression(Site.INDEX);
    this.match(T.RIGHT_BRACKET, MEMBER_END, 10);
    this.height = Math.max(height, this.height) + 1;
    return this.build.call(position, optional ? '_[?_]' : '_[_]', operand, index);
  }

  #primary(): Expression {
    this.enter(Site.MEMBER_PRIMARY);
    this.height = 0;
    let result: Expression | undefined;
    try {
      this.recovery.require(FIRST_PRIMARY, 11);
      result = this.#primaryAt(this.next());
    } catch (failure) {
      this.recover(failure);
    }
    this.leave();
    return result ?? this.errorNode();
  }

  #primaryAt(kind: TokenKind): Expression {
    switch (kind) {
      case T.DOT:
      case T.IDENTIFIER:
        return this.#isMessage() ? this.#message() : this.#name();
      case T.LEFT_PARENTHESIS: {
        this.consume();
        const nested = this.expression(Site.NESTED);
        this.match(T.RIGHT_PARENTHESIS, EPSILON, 12);
        return nested;
      }
      case T.LEFT_BRACKET:
        return this.#list();
      case T.LEFT_BRACE:
        return this.#map();
      default:
        if (!contains(FIRST_PRIMARY, kind)) throw this.recovery.noAlternative(0, 13);
        return this.#literal(kind);
    }
  }

  /** Whether a dotted name followed by an opening brace is next. */
  #isMessage(): boolean {
    let ahead = this.next() === T.DOT ? 1 : 0;
    if (this.tokens.peek(ahead).kind !== T.IDENTIFIER) throw this.recovery.noAlternative(ahead, 14);
    while (this.tokens.peek(ahead + 1).kind === T.DOT && this.tokens.peek(ahead + 2).kind === T.IDENTIFIER)
      ahead += 2;
    return this.tokens.peek(ahead + 1).kind === T.LEFT_BRACE;
  }

  #name(): Expression {
    const start = this.positionOf(this.tokens.peek());
    const absolute = this.next() === T.DOT;
    if (absolute) this.consume();
    const token = this.consume();
    const name = this.text(token);
    if (isReserved(name)) this.issues.semantic(start, `reserved identifier: ${name}`);
    const full = absolute ? `.${name}` : name;
    return this.next() === T.LEFT_PARENTHESIS
      ? this.#callOf(undefined, full)
      : this.build.identifier(this.positionOf(token), full);
  }

  #list(): Expression {
    const position = this.positionOf(this.consume());
    const elements: Expression[] = [];
    const optionalIndices: number[] = [];
    this.recovery.require(LIST_START, 15);
    if (contains(FIRST_OPTIONAL_EXPRESSION, this.next())) {
      this.enter(Site.LIST_ELEMENTS);
      this.#separated(() => {
        const element = this.#optionalOperand(Site.LIST_ITEM);
        if (element.optional) optionalIndices.push(elements.length);
        elements.push(element.value);
      }, FIRST_OPTIONAL_EXPRESSION);
      this.leave();
    }
    this.#closing(LIST_END, T.RIGHT_BRACKET);
    return this.build.list(position, elements, optionalIndices);
  }

  #map(): Expression {
    const position = this.positionOf(this.consume());
    const entries: MapEntry[] = [];
    this.recovery.require(MAP_START, 16);
    if (contains(FIRST_OPTIONAL_EXPRESSION, this.next())) {
      this.enter(Site.BRACE_ENTRIES);
      try {
        this.#separated(() => {
          const { optional, value: key } = this.#optionalOperand(Site.ENTRY_KEY);
          const height = this.height;
          const { position: colon, value } = this.#entryValue();
          this.height = Math.max(height, this.height);
          entries.push({ id: this.build.id(colon), key, value, optional });
        }, FIRST_OPTIONAL_EXPRESSION);
      } catch (failure) {
        this.recover(failure);
      }
      this.leave();
    }
    this.#closing(BRACE_END, T.RIGHT_BRACE);
    return this.build.map(position, entries);
  }

  #message(): Expression {
    let type = '';
    while (this.next() !== T.LEFT_BRACE) type += this.text(this.consume());
    const position = this.positionOf(this.consume());
    const fields: MessageField[] = [];
    this.recovery.require(MESSAGE_START, 17);
    if (contains(FIELD_START, this.next())) {
      this.enter(Site.BRACE_ENTRIES);
      try {
        this.#separated(() => {
          const { optional, name } = this.#fieldName();
          const { position: colon, value } = this.#entryValue();
          fields.push({ id: this.build.id(colon), name, value, optional });
        }, FIELD_START);
      } catch (failure) {
        this.recover(failure);
      }
      this.leave();
    }
    this.#closing(BRACE_END, T.RIGHT_BRACE);
    return this.build.message(position, type, fields);
  }

  #fieldName(): { optional: boolean; name: string } {
    this.enter(Site.ENTRY_KEY);
    let optional = false;
    let name = '';
    try {
      this.recovery.require(FIELD_START, 18);
      optional = this.next() === T.QUESTION_MARK;
      if (optional) this.consume();
      const token = this.match(T.IDENTIFIER, EPSILON, 19);
      if (token !== undefined) name = this.text(token);
    } catch (failure) {
      this.recover(failure);
    }
    this.leave();
    return { optional, name };
  }

  #entryValue(): { position: number; value: Expression } {
    const colon = this.match(T.COLON, FIRST_EXPRESSION, 20);
    return {
      position: colon === undefined ? 0 : this.positionOf(colon),
      value: this.expression(Site.LIST_ITEM),
    };
  }

  #optionalOperand(site: Site): OptionalOperand {
    this.enter(site);
    let result: OptionalOperand | undefined;
    try {
      this.recovery.require(FIRST_OPTIONAL_EXPRESSION, 21);
      const optional = this.next() === T.QUESTION_MARK;
      if (optional) this.consume();
      result = { optional, value: this.expression(Site.OPTIONAL_OPERAND) };
    } catch (failure) {
      this.recover(failure);
    }
    this.leave();
    return result ?? { optional: false, value: this.errorNode() };
  }

  /**
   * Items separated by commas; a comma without a following item is left to the enclosing rule. Sets the
   * height to that of the highest item.
   */
  #separated(item: () => void, first: TokenSet): void {
    item();
    let height = this.height;
    while (this.next() === T.COMMA && contains(first, this.tokens.peek(1).kind)) {
      this.consume();
      item();
      height = Math.max(height, this.height);
    }
    this.height = height;
  }

  /** An optional trailing comma and the closing bracket. */
  #closing(expected: TokenSet, bracket: TokenKind): void {
    this.recovery.require(expected, 22);
    if (this.next() === T.COMMA) this.consume();
    this.match(bracket, EPSILON, 23);
  }

  #literal(kind: TokenKind): Expression {
    const first = this.tokens.peek();
    const negative = kind === T.MINUS;
    if (negative && !this.isNumber(1)) throw this.recovery.noAlternative(1, 24);
    if (negative) this.consume();
    const token = this.consume();
    const position = this.positionOf(first);
    const constant = this.#constant(token, negative);
    if (typeof constant !== 'string') return this.build.literal(position, constant);
    this.issues.semantic(position, constant);
    return this.errorNode();
  }

  #constant(token: Token, negative: boolean): Constant | string {
    switch (token.kind) {
      case T.INT:
        return intConstant(this.text(token), negative);
      case T.UINT:
        return uintConstant(this.text(token));
      case T.FLOAT:
        return doubleConstant(this.text(token), negative);
      case T.STRING:
        return stringConstant(this.text(token));
      case T.BYTES:
        return bytesConstant(this.text(token));
      case T.NULL:
        return { type: 'null' };
      default:
        return { type: 'bool', value: token.kind === T.TRUE };
    }
  }

  protected isNumber(distance: number): boolean {
    const { kind } = this.tokens.peek(distance);
    return kind === T.INT || kind === T.FLOAT;
  }
}
