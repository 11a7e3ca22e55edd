import type { SourceText } from '../errors.ts';
import type { Call, Constant, Expression, MapEntry, MessageField } from '../syntax.ts';
import { balance } from './balance.ts';
import type { TreeBuilder } from './builder.ts';
import { OpenRules } from './depth.ts';
import { FIRST_EXPRESSION, FIRST_OPTIONAL_EXPRESSION, FIRST_PRIMARY, Site } from './follow.ts';
import type { SyntaxIssues } from './issues.ts';
import { Lexer } from './lexer.ts';
import { bytesConstant, doubleConstant, intConstant, stringConstant, uintConstant } from './literal-values.ts';
import { expandMacro, type Macros } from './macros.ts';
import { Recovery, RuleFailure } from './recovery.ts';
import { isReserved } from './reserved.ts';
import { contains, EPSILON, TokenKind as T, type Token, type TokenKind, type TokenSet, tokenSet } from './token.ts';
import { TokenStream } from './token-stream.ts';

const RELATIONS: Readonly<Partial<Record<TokenKind, string>>> = {
  [T.LESS]: '_<_',
  [T.LESS_EQUALS]: '_<=_',
  [T.GREATER_EQUALS]: '_>=_',
  [T.GREATER]: '_>_',
  [T.EQUALS]: '_==_',
  [T.NOT_EQUALS]: '_!=_',
  [T.IN]: '@in',
};
const PRODUCTS: Readonly<Partial<Record<TokenKind, string>>> = { [T.STAR]: '_*_', [T.SLASH]: '_/_', [T.PERCENT]: '_%_' };
const SUMS: Readonly<Partial<Record<TokenKind, string>>> = { [T.PLUS]: '_+_', [T.MINUS]: '_-_' };

const MEMBER_END: TokenSet = tokenSet(T.DOT, T.LEFT_BRACKET) | EPSILON;
const FIELD_START: TokenSet = tokenSet(T.QUESTION_MARK, T.IDENTIFIER);
const ARGUMENTS_START: TokenSet = FIRST_EXPRESSION | tokenSet(T.RIGHT_PARENTHESIS);
const LIST_START: TokenSet = FIRST_OPTIONAL_EXPRESSION | tokenSet(T.COMMA, T.RIGHT_BRACKET);
const LIST_END: TokenSet = tokenSet(T.COMMA, T.RIGHT_BRACKET);
const MAP_START: TokenSet = FIRST_OPTIONAL_EXPRESSION | tokenSet(T.COMMA, T.RIGHT_BRACE);
const MESSAGE_START: TokenSet = FIELD_START | tokenSet(T.COMMA, T.RIGHT_BRACE);
const BRACE_END: TokenSet = tokenSet(T.COMMA, T.RIGHT_BRACE);

/** An operand written with or without `?` in front. */
interface OptionalOperand {
  readonly optional: boolean;
  readonly value: Expression;
}

/**
 * Recursive descent over the grammar, rule by rule. Each rule that can fail catches its own failure, lets `Recovery` skip, and returns what it has; the tree of
 * a text with errors is thrown away, so any node will do then. `height` is the height of the tree returned last.
 */
export class Parser {
  readonly #source: SourceText;
  readonly #issues: SyntaxIssues;
  readonly #build: TreeBuilder;
  readonly #macros: Macros;
  readonly #tokens: TokenStream;
  readonly #recovery: Recovery;
  readonly #open: OpenRules;
  readonly #hasPairs: boolean;
  /** The index asked for last, and the surrogate pairs before it. */
  #counted = { index: 0, pairs: 0 };
  #height = 0;

  constructor(source: SourceText, issues: SyntaxIssues, build: TreeBuilder, macros: Macros) {
    this.#source = source;
    this.#issues = issues;
    this.#build = build;
    this.#macros = macros;
    this.#tokens = new TokenStream(new Lexer(source.text, (start, text) => issues.syntax(start, `token recognition error at: '${text}'`)));
    this.#recovery = new Recovery(this.#tokens, source, issues);
    this.#open = new OpenRules(issues);
    this.#hasPairs = /[\ud800-\udbff]/.test(source.text);
  }

  /** The whole text is one expression. */
  parse(): Expression {
    const root = this.#expression(Site.START);
    try {
      this.#match(T.END, tokenSet(T.END), 0);
    } catch (failure) {
      this.#recover(failure);
    }
    this.#open.checkHeight(this.#height);
    return root;
  }

  /** condition [? then : else] */
  #expression(site: Site): Expression {
    this.#enter(site);
    this.#open.check(++this.#open.expression);
    let result = this.#or(Site.TERNARY_CONDITION);
    if (this.#next() === T.QUESTION_MARK) {
      const position = this.#positionOf(this.#take());
      let height = this.#height;
      const then = this.#or(Site.TERNARY_THEN);
      height = Math.max(height, this.#height);
      try {
        this.#match(T.COLON, FIRST_EXPRESSION, 1);
        const otherwise = this.#expression(Site.TERNARY_ELSE);
        result = this.#build.call(position, '_?_:_', result, then, otherwise);
        this.#height = Math.max(height, this.#height) + 1;
      } catch (failure) {
        this.#recover(failure);
      }
    }
    this.#open.expression--;
    this.#leave();
    return result;
  }

  #or(site: Site): Expression {
    this.#enter(site);
    const result = this.#chain(T.OR, '_||_', () => this.#and());
    this.#leave();
    return result;
  }

  #and(): Expression {
    this.#enter(Site.OR_OPERAND);
    const result = this.#chain(T.AND, '_&&_', () => this.#relation(Site.AND_OPERAND, false));
    this.#leave();
    return result;
  }

  /** Operands joined by one operator, as a balanced tree. */
  #chain(operator: TokenKind, name: string, operand: () => Expression): Expression {
    const first = operand();
    if (this.#next() !== operator) return first;
    const terms = [first];
    const operators: number[] = [];
    let height = this.#height;
    while (this.#next() === operator) {
      operators.push(this.#build.id(this.#positionOf(this.#take())));
      terms.push(operand());
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return balance(terms, operators, name);
  }

  /** calculation {relation-operator calculation}; an operand on the right takes no further operator. */
  #relation(site: Site, operandOnly: boolean): Expression {
    const depth = this.#open.relation;
    this.#enter(site);
    this.#open.check(++this.#open.relation);
    let left = this.#calculation(Site.RELATION_OPERAND, 0);
    for (let name = RELATIONS[this.#next()]; name !== undefined && !operandOnly; name = RELATIONS[this.#next()]) {
      this.#open.check(++this.#open.relation);
      const position = this.#positionOf(this.#take());
      const height = this.#height;
      const right = this.#relation(Site.RELATION_OPERAND, true);
      left = this.#build.call(position, name, left, right);
      this.#height = Math.max(height, this.#height) + 1;
    }
    this.#open.relation = depth;
    this.#leave();
    return left;
  }

  /** unary {arithmetic-operator …}; `precedence` 0 takes all, 1 products only, 2 none. */
  #calculation(site: Site, precedence: 0 | 1 | 2): Expression {
    const depth = this.#open.calculation;
    this.#enter(site);
    this.#open.check(++this.#open.calculation);
    let left = this.#unary();
    while (precedence < 2) {
      const product = PRODUCTS[this.#next()];
      const name = product ?? (precedence === 0 ? SUMS[this.#next()] : undefined);
      if (name === undefined) break;
      this.#open.check(++this.#open.calculation);
      const position = this.#positionOf(this.#take());
      const height = this.#height;
      const right = this.#calculation(Site.CALCULATION_OPERAND, product === undefined ? 1 : 2);
      left = this.#build.call(position, name, left, right);
      this.#height = Math.max(height, this.#height) + 1;
    }
    this.#open.calculation = depth;
    this.#leave();
    return left;
  }

  /** member, or `!`… member, or `-`… member; a minus before a number belongs to the number. An even count of one operator is none. */
  #unary(): Expression {
    this.#enter(Site.CALCULATION_OPERAND);
    let result: Expression | undefined;
    try {
      this.#recovery.require(FIRST_EXPRESSION, 2);
      const kind = this.#next();
      if (kind === T.NOT) result = this.#negated('!_', () => this.#nots());
      else if (kind === T.MINUS && !this.#isNumber(1)) result = this.#negated('-_', () => this.#minuses());
      else result = this.#member();
    } catch (failure) {
      this.#recover(failure);
    }
    this.#leave();
    return result ?? this.#missing();
  }

  #negated(name: string, operators: () => number): Expression {
    const position = this.#positionOf(this.#tokens.peek());
    const count = operators();
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#build.call(position, name, operand);
  }

  #nots(): number {
    let count = 0;
    do {
      this.#take();
      count++;
      this.#recovery.requireAfterIteration(FIRST_EXPRESSION);
    } while (this.#next() === T.NOT);
    return count;
  }

  #minuses(): number {
    if (!contains(FIRST_PRIMARY, this.#tokens.peek(1).kind)) throw this.#recovery.noAlternative(1, 3);
    let count = 0;
    do {
      this.#take();
      count++;
      this.#recovery.requireAfterIteration(FIRST_PRIMARY);
      if (this.#next() === T.MINUS && !contains(FIRST_PRIMARY, this.#tokens.peek(1).kind)) throw this.#recovery.noAlternative(1, 4);
    } while (this.#next() === T.MINUS);
    return count;
  }

  /** primary {.field | .?field | .method(arguments) | [index] | [?index]} */
  #member(): Expression {
    const depth = this.#open.member;
    this.#enter(Site.UNARY_MEMBER);
    this.#open.check(++this.#open.member);
    let result = this.#primary();
    try {
      for (let kind = this.#next(); kind === T.DOT || kind === T.LEFT_BRACKET; kind = this.#next()) {
        this.#open.check(++this.#open.member);
        result = kind === T.DOT ? this.#afterDot(result) : this.#index(result);
      }
    } catch (failure) {
      this.#recover(failure);
    }
    this.#open.member = depth;
    this.#leave();
    return result;
  }

  #afterDot(operand: Expression): Expression {
    const second = this.#tokens.peek(1).kind;
    if (second !== T.IDENTIFIER && second !== T.QUESTION_MARK) throw this.#recovery.noAlternative(1, 5);
    const dot = this.#positionOf(this.#take());
    const optional = second === T.QUESTION_MARK;
    if (optional) this.#take();
    const name = this.#match(T.IDENTIFIER, MEMBER_END, 6);
    this.#height++;
    if (name === undefined) return this.#missing();
    const field = this.#text(name);
    if (optional) {
      return this.#build.call(dot, '_?._', operand, this.#build.literal(this.#positionOf(name), { type: 'string', value: field }));
    }
    return this.#next() === T.LEFT_PARENTHESIS ? this.#callOf(operand, field) : this.#build.select(dot, operand, field);
  }

  /** The rest of a call: `(arguments)`. Not finding the parenthesis at the end is the caller's failure. */
  #callOf(target: Expression | undefined, name: string): Expression {
    const position = this.#positionOf(this.#take());
    let height = this.#height;
    let args: readonly Expression[] = [];
    let failure: unknown;
    try {
      this.#recovery.require(ARGUMENTS_START, 7);
      if (contains(FIRST_EXPRESSION, this.#next())) args = this.#arguments();
      height = Math.max(height, this.#height);
      this.#match(T.RIGHT_PARENTHESIS, MEMBER_END, 8);
    } catch (thrown) {
      failure = thrown;
    }
    this.#height = height;
    const call: Call = { kind: 'call', id: this.#build.id(position), function: name, target, arguments: args };
    const expanded = expandMacro(call, this.#macros, this.#build, (id, message) => this.#issues.meaning(this.#build.positionOf(id), message));
    if (failure !== undefined) throw failure;
    return expanded;
  }

  #arguments(): readonly Expression[] {
    this.#enter(Site.ARGUMENTS);
    const args = [this.#expression(Site.LIST_ITEM)];
    let height = this.#height;
    while (this.#next() === T.COMMA) {
      this.#take();
      args.push(this.#expression(Site.LIST_ITEM));
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    this.#leave();
    return args;
  }

  #index(operand: Expression): Expression {
    const position = this.#positionOf(this.#take());
    const height = this.#height;
    this.#recovery.require(FIRST_OPTIONAL_EXPRESSION, 9);
    const optional = this.#next() === T.QUESTION_MARK;
    if (optional) this.#take();
    const index = this.#expression(Site.INDEX);
    this.#match(T.RIGHT_BRACKET, MEMBER_END, 10);
    this.#height = Math.max(height, this.#height) + 1;
    return this.#build.call(position, optional ? '_[?_]' : '_[_]', operand, index);
  }

  #primary(): Expression {
    this.#enter(Site.MEMBER_PRIMARY);
    this.#height = 0;
    let result: Expression | undefined;
    try {
      this.#recovery.require(FIRST_PRIMARY, 11);
      result = this.#primaryAt(this.#next());
    } catch (failure) {
      this.#recover(failure);
    }
    this.#leave();
    return result ?? this.#missing();
  }

  #primaryAt(kind: TokenKind): Expression {
    switch (kind) {
      case T.DOT:
      case T.IDENTIFIER:
        return this.#isMessage() ? this.#message() : this.#name();
      case T.LEFT_PARENTHESIS: {
        this.#take();
        const nested = this.#expression(Site.NESTED);
        this.#match(T.RIGHT_PARENTHESIS, EPSILON, 12);
        return nested;
      }
      case T.LEFT_BRACKET:
        return this.#list();
      case T.LEFT_BRACE:
        return this.#map();
      default:
        if (!contains(FIRST_PRIMARY, kind)) throw this.#recovery.noAlternative(0, 13);
        return this.#literal(kind);
    }
  }

  /** Whether a dotted name with an opening brace is next. */
  #isMessage(): boolean {
    let ahead = this.#next() === T.DOT ? 1 : 0;
    if (this.#tokens.peek(ahead).kind !== T.IDENTIFIER) throw this.#recovery.noAlternative(ahead, 14);
    while (this.#tokens.peek(ahead + 1).kind === T.DOT && this.#tokens.peek(ahead + 2).kind === T.IDENTIFIER) ahead += 2;
    return this.#tokens.peek(ahead + 1).kind === T.LEFT_BRACE;
  }

  #name(): Expression {
    const start = this.#positionOf(this.#tokens.peek());
    const absolute = this.#next() === T.DOT;
    if (absolute) this.#take();
    const token = this.#take();
    const name = this.#text(token);
    if (isReserved(name)) this.#issues.meaning(start, `reserved identifier: ${name}`);
    const full = absolute ? `.${name}` : name;
    return this.#next() === T.LEFT_PARENTHESIS ? this.#callOf(undefined, full) : this.#build.identifier(this.#positionOf(token), full);
  }

  #list(): Expression {
    const position = this.#positionOf(this.#take());
    const elements: Expression[] = [];
    const optionalIndices: number[] = [];
    this.#recovery.require(LIST_START, 15);
    if (contains(FIRST_OPTIONAL_EXPRESSION, this.#next())) {
      this.#enter(Site.LIST_ELEMENTS);
      this.#separated(() => {
        const element = this.#optionalOperand(Site.LIST_ITEM);
        if (element.optional) optionalIndices.push(elements.length);
        elements.push(element.value);
      }, FIRST_OPTIONAL_EXPRESSION);
      this.#leave();
    }
    this.#closing(LIST_END, T.RIGHT_BRACKET);
    return this.#build.list(position, elements, optionalIndices);
  }

  #map(): Expression {
    const position = this.#positionOf(this.#take());
    const entries: MapEntry[] = [];
    this.#recovery.require(MAP_START, 16);
    if (contains(FIRST_OPTIONAL_EXPRESSION, this.#next())) {
      this.#enter(Site.BRACE_ENTRIES);
      try {
        this.#separated(() => {
          const { optional, value: key } = this.#optionalOperand(Site.ENTRY_KEY);
          const height = this.#height;
          const { position: colon, value } = this.#entryValue();
          this.#height = Math.max(height, this.#height);
          entries.push({ id: this.#build.id(colon), key, value, optional });
        }, FIRST_OPTIONAL_EXPRESSION);
      } catch (failure) {
        this.#recover(failure);
      }
      this.#leave();
    }
    this.#closing(BRACE_END, T.RIGHT_BRACE);
    return this.#build.map(position, entries);
  }

  #message(): Expression {
    let type = '';
    while (this.#next() !== T.LEFT_BRACE) type += this.#text(this.#take());
    const position = this.#positionOf(this.#take());
    const fields: MessageField[] = [];
    this.#recovery.require(MESSAGE_START, 17);
    if (contains(FIELD_START, this.#next())) {
      this.#enter(Site.BRACE_ENTRIES);
      try {
        this.#separated(() => {
          const { optional, name } = this.#fieldName();
          const { position: colon, value } = this.#entryValue();
          fields.push({ id: this.#build.id(colon), name, value, optional });
        }, FIELD_START);
      } catch (failure) {
        this.#recover(failure);
      }
      this.#leave();
    }
    this.#closing(BRACE_END, T.RIGHT_BRACE);
    return this.#build.message(position, type, fields);
  }

  #fieldName(): { optional: boolean; name: string } {
    this.#enter(Site.ENTRY_KEY);
    let optional = false;
    let name = '';
    try {
      this.#recovery.require(FIELD_START, 18);
      optional = this.#next() === T.QUESTION_MARK;
      if (optional) this.#take();
      const token = this.#match(T.IDENTIFIER, EPSILON, 19);
      if (token !== undefined) name = this.#text(token);
    } catch (failure) {
      this.#recover(failure);
    }
    this.#leave();
    return { optional, name };
  }

  #entryValue(): { position: number; value: Expression } {
    const colon = this.#match(T.COLON, FIRST_EXPRESSION, 20);
    return { position: colon === undefined ? 0 : this.#positionOf(colon), value: this.#expression(Site.LIST_ITEM) };
  }

  #optionalOperand(site: Site): OptionalOperand {
    this.#enter(site);
    let result: OptionalOperand | undefined;
    try {
      this.#recovery.require(FIRST_OPTIONAL_EXPRESSION, 21);
      const optional = this.#next() === T.QUESTION_MARK;
      if (optional) this.#take();
      result = { optional, value: this.#expression(Site.OPTIONAL_OPERAND) };
    } catch (failure) {
      this.#recover(failure);
    }
    this.#leave();
    return result ?? { optional: false, value: this.#missing() };
  }

  /** Items between commas; a comma that no item follows is left for the rule around. The height becomes that of the highest item. */
  #separated(item: () => void, first: TokenSet): void {
    item();
    let height = this.#height;
    while (this.#next() === T.COMMA && contains(first, this.#tokens.peek(1).kind)) {
      this.#take();
      item();
      height = Math.max(height, this.#height);
    }
    this.#height = height;
  }

  /** An optional last comma and the closing bracket. */
  #closing(expected: TokenSet, bracket: TokenKind): void {
    this.#recovery.require(expected, 22);
    if (this.#next() === T.COMMA) this.#take();
    this.#match(bracket, EPSILON, 23);
  }

  #literal(kind: TokenKind): Expression {
    const first = this.#tokens.peek();
    const negative = kind === T.MINUS;
    if (negative && !this.#isNumber(1)) throw this.#recovery.noAlternative(1, 24);
    if (negative) this.#take();
    const token = this.#take();
    const position = this.#positionOf(first);
    const constant = this.#constant(token, negative);
    if (typeof constant !== 'string') return this.#build.literal(position, constant);
    this.#issues.meaning(position, constant);
    return this.#missing();
  }

  #constant(token: Token, negative: boolean): Constant | string {
    switch (token.kind) {
      case T.INT:
        return intConstant(this.#text(token), negative);
      case T.UINT:
        return uintConstant(this.#text(token));
      case T.FLOAT:
        return doubleConstant(this.#text(token), negative);
      case T.STRING:
        return stringConstant(this.#text(token));
      case T.BYTES:
        return bytesConstant(this.#text(token));
      case T.NULL:
        return { type: 'null' };
      default:
        return { type: 'bool', value: token.kind === T.TRUE };
    }
  }

  #isNumber(distance: number): boolean {
    const { kind } = this.#tokens.peek(distance);
    return kind === T.INT || kind === T.FLOAT;
  }

  #next(): TokenKind {
    return this.#tokens.peek().kind;
  }

  /** Consumes a token that is known to fit. */
  #take(): Token {
    this.#recovery.matched();
    return this.#tokens.consume();
  }

  /** Consumes a token of a kind; undefined when it is missing and goes without. `after`: what may come behind it. */
  #match(kind: TokenKind, after: TokenSet, state: number): Token | undefined {
    return this.#next() === kind ? this.#take() : this.#recovery.matchInline(kind, after, state);
  }

  #recover(failure: unknown): void {
    if (!(failure instanceof RuleFailure)) throw failure;
    this.#recovery.recover(failure);
  }

  #enter(site: Site): void {
    this.#recovery.sites.push(site);
  }

  #leave(): void {
    this.#recovery.sites.pop();
  }

  #text(token: Token): string {
    return this.#source.text.slice(token.start, token.end);
  }

  /** The offset of a token in code points. */
  #positionOf(token: Token): number {
    if (!this.#hasPairs) return token.start;
    const from = Math.min(this.#counted.index, token.start);
    const before = from === token.start ? { index: 0, pairs: 0 } : this.#counted;
    const pairs = before.pairs + (this.#source.text.slice(before.index, token.start).match(/[\udc00-\udfff]/g)?.length ?? 0);
    this.#counted = { index: token.start, pairs };
    return token.start - pairs;
  }

  /** Stands where the text has an error. */
  #missing(): Expression {
    return this.#build.literal(0, { type: 'null' });
  }
}
