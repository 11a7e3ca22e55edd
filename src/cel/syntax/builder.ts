import { BinnacleError } from '../../errors/binnacle-error.ts';
import type { Call, Comprehension, Constant, Expression, MapEntry, MessageField } from '../syntax.ts';

/** Thrown when macro expansion copies operands so often that the tree exceeds its bound. */
export class TooManyNodes extends BinnacleError {
  override name = 'TooManyNodes';
  readonly code = 'ERR_BINNACLE_TOO_MANY_NODES';
}

/**
 * The maximum number of nodes of a tree: more than any expression of the maximum length has, but fewer than
 * nested macro copies can produce.
 */
const MAX_NODES = 150_000;

/** Creates nodes with ids and positions (code point offsets). */
export class TreeBuilder {
  readonly positions = new Map<number, number>();
  readonly macroCalls = new Map<number, Call>();
  #lastId = 0;

  /** A new id for a node at a position. */
  id(position: number): number {
    if (this.#lastId >= MAX_NODES) throw new TooManyNodes();
    const id = ++this.#lastId;
    this.positions.set(id, position);
    return id;
  }

  positionOf(id: number): number {
    return this.positions.get(id) ?? 0;
  }

  literal(position: number, constant: Constant): Expression {
    return { kind: 'literal', id: this.id(position), constant };
  }

  identifier(position: number, name: string): Expression {
    return { kind: 'identifier', id: this.id(position), name };
  }

  call(position: number, name: string, ...args: readonly Expression[]): Call {
    return { kind: 'call', id: this.id(position), function: name, target: undefined, arguments: args };
  }

  memberCall(position: number, name: string, target: Expression, ...args: readonly Expression[]): Call {
    return { kind: 'call', id: this.id(position), function: name, target, arguments: args };
  }

  select(position: number, operand: Expression, field: string, testOnly = false): Expression {
    return { kind: 'select', id: this.id(position), operand, field, testOnly };
  }

  list(
    position: number,
    elements: readonly Expression[],
    optionalIndices: readonly number[] = [],
  ): Expression {
    return { kind: 'list', id: this.id(position), elements, optionalIndices };
  }

  map(position: number, entries: readonly MapEntry[]): Expression {
    return { kind: 'map', id: this.id(position), entries };
  }

  message(position: number, type: string, fields: readonly MessageField[]): Expression {
    return { kind: 'message', id: this.id(position), type, fields };
  }

  comprehension(position: number, parts: Omit<Comprehension, 'kind' | 'id'>): Expression {
    return { kind: 'comprehension', id: this.id(position), ...parts };
  }

  /** The same tree with new ids at the same positions. */
  copy(expression: Expression): Expression {
    const id = this.id(this.positionOf(expression.id));
    switch (expression.kind) {
      case 'literal':
      case 'identifier':
        return { ...expression, id };
      case 'select':
        return { ...expression, id, operand: this.copy(expression.operand) };
      case 'call':
        return {
          ...expression,
          id,
          target: expression.target && this.copy(expression.target),
          arguments: expression.arguments.map((arg) => this.copy(arg)),
        };
      case 'list':
        return { ...expression, id, elements: expression.elements.map((element) => this.copy(element)) };
      case 'map':
        return {
          ...expression,
          id,
          entries: expression.entries.map((entry) => ({
            ...this.#copyEntry(entry),
            key: this.copy(entry.key),
          })),
        };
      case 'message':
        return { ...expression, id, fields: expression.fields.map((field) => this.#copyEntry(field)) };
      case 'comprehension':
        return {
          ...expression,
          id,
          range: this.copy(expression.range),
          initial: this.copy(expression.initial),
          condition: this.copy(expression.condition),
          step: this.copy(expression.step),
          result: this.copy(expression.result),
        };
    }
  }

  #copyEntry<T extends { readonly id: number; readonly value: Expression }>(entry: T): T {
    return { ...entry, id: this.id(this.positionOf(entry.id)), value: this.copy(entry.value) };
  }
}
