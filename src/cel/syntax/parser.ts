import type { Expression } from '../syntax.ts';
import { balance } from './balance.ts';
import { FIRST_EXPRESSION, FIRST_PRIMARY, Site } from './follow.ts';
import { OperandParser } from './operand-parser.ts';
import { contains, TokenKind as T, type TokenKind, tokenSet } from './token.ts';

const RELATIONS: Readonly<Partial<Record<TokenKind, string>>> = {
  [T.LESS]: '_<_',
  [T.LESS_EQUALS]: '_<=_',
  [T.GREATER_EQUALS]: '_>=_',
  [T.GREATER]: '_>_',
  [T.EQUALS]: '_==_',
  [T.NOT_EQUALS]: '_!=_',
  [T.IN]: '@in',
};
const PRODUCTS: Readonly<Partial<Record<TokenKind, string>>> = {
  [T.STAR]: '_*_',
  [T.SLASH]: '_/_',
  [T.PERCENT]: '_%_',
};
const SUMS: Readonly<Partial<Record<TokenKind, string>>> = { [T.PLUS]: '_+_', [T.MINUS]: '_-_' };

/** Recursive descent over the grammar, rule by rule: operators from the weakest to the strongest. */
export class Parser extends OperandParser {
  /** Parses the whole text as one expression. */
  parse(): Expression {
    const root = this.expression(Site.START);
    try {
      this.match(T.END, tokenSet(T.END), 0);
    } catch (failure) {
      this.recover(failure);
    }
    this.open.checkHeight(this.height);
    return root;
  }

  /** condition [? then : else] */
  protected expression(site: Site): Expression {
    this.enter(site);
    this.open.check(++this.open.expression);
    let result = this.#or(Site.TERNARY_CONDITION);
    if (this.next() === T.QUESTION_MARK) {
      const position = this.positionOf(this.consume());
      let height = this.height;
      const then = this.#or(Site.TERNARY_THEN);
      height = Math.max(height, this.height);
      try {
        this.match(T.COLON, FIRST_EXPRESSION, 1);
        const otherwise = this.expression(Site.TERNARY_ELSE);
        result = this.build.call(position, '_?_:_', result, then, otherwise);
        this.height = Math.max(height, this.height) + 1;
      } catch (failure) {
        this.recover(failure);
      }
    }
    this.open.expression--;
    this.leave();
    return result;
  }

  #or(site: Site): Expression {
    this.enter(site);
    const result = this.#chain(T.OR, '_||_', () => this.#and());
    this.leave();
    return result;
  }

  #and(): Expression {
    this.enter(Site.OR_OPERAND);
    const result = this.#chain(T.AND, '_&&_', () => this.#relation(Site.AND_OPERAND, false));
    this.leave();
    return result;
  }

  /** Operands joined by one operator, as a balanced tree. */
  #chain(operator: TokenKind, name: string, operand: () => Expression): Expression {
    const first = operand();
    if (this.next() !== operator) return first;
    const terms = [first];
    const operators: number[] = [];
    let height = this.height;
    while (this.next() === operator) {
      operators.push(this.build.id(this.positionOf(this.consume())));
      terms.push(operand());
      height = Math.max(height, this.height);
    }
    this.height = height;
    return balance(terms, operators, name);
  }

  /**
   * calculation {relation-operator calculation}; with `operandOnly` (a right operand) no further operator is
   * consumed.
   */
  #relation(site: Site, operandOnly: boolean): Expression {
    const depth = this.open.relation;
    this.enter(site);
    this.open.check(++this.open.relation);
    let left = this.#calculation(Site.RELATION_OPERAND, 0);
    for (
      let name = RELATIONS[this.next()];
      name !== undefined && !operandOnly;
      name = RELATIONS[this.next()]
    ) {
      this.open.check(++this.open.relation);
      const position = this.positionOf(this.consume());
      const height = this.height;
      const right = this.#relation(Site.RELATION_OPERAND, true);
      left = this.build.call(position, name, left, right);
      this.height = Math.max(height, this.height) + 1;
    }
    this.open.relation = depth;
    this.leave();
    return left;
  }

  /** unary {arithmetic-operator …}; `precedence` 0 takes all operators, 1 only products, 2 none. */
  #calculation(site: Site, precedence: 0 | 1 | 2): Expression {
    const depth = this.open.calculation;
    this.enter(site);
    this.open.check(++this.open.calculation);
    let left = this.#unary();
    while (precedence < 2) {
      const product = PRODUCTS[this.next()];
      const name = product ?? (precedence === 0 ? SUMS[this.next()] : undefined);
      if (name === undefined) break;
      this.open.check(++this.open.calculation);
      const position = this.positionOf(this.consume());
      const height = this.height;
      const right = this.#calculation(Site.CALCULATION_OPERAND, product === undefined ? 1 : 2);
      left = this.build.call(position, name, left, right);
      this.height = Math.max(height, this.height) + 1;
    }
    this.open.calculation = depth;
    this.leave();
    return left;
  }

  /**
   * member, or `!`… member, or `-`… member; a minus before a number belongs to the number. Repeated operators
   * cancel in pairs.
   */
  #unary(): Expression {
    this.enter(Site.CALCULATION_OPERAND);
    let result: Expression | undefined;
    try {
      this.recovery.require(FIRST_EXPRESSION, 2);
      const kind = this.next();
      if (kind === T.NOT) result = this.#negated('!_', () => this.#nots());
      else if (kind === T.MINUS && !this.isNumber(1)) result = this.#negated('-_', () => this.#minuses());
      else result = this.member();
    } catch (failure) {
      this.recover(failure);
    }
    this.leave();
    return result ?? this.errorNode();
  }

  #negated(name: string, operators: () => number): Expression {
    const position = this.positionOf(this.tokens.peek());
    const count = operators();
    const operand = this.member();
    return count % 2 === 0 ? operand : this.build.call(position, name, operand);
  }

  #nots(): number {
    let count = 0;
    do {
      this.consume();
      count++;
      this.recovery.requireAfterIteration(FIRST_EXPRESSION);
    } while (this.next() === T.NOT);
    return count;
  }

  #minuses(): number {
    if (!contains(FIRST_PRIMARY, this.tokens.peek(1).kind)) throw this.recovery.noAlternative(1, 3);
    let count = 0;
    do {
      this.consume();
      count++;
      this.recovery.requireAfterIteration(FIRST_PRIMARY);
      if (this.next() === T.MINUS && !contains(FIRST_PRIMARY, this.tokens.peek(1).kind))
        throw this.recovery.noAlternative(1, 4);
    } while (this.next() === T.MINUS);
    return count;
  }
}
