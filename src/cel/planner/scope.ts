import type { Expression } from '../syntax.ts';
import type { Evaluate } from './step.ts';

/** The variables of the enclosing comprehensions, by name. */
export class Scope {
  private readonly parent: Scope | undefined;
  private readonly variables: ReadonlyMap<string, LocalVariable>;

  constructor(variables: Iterable<readonly [string, LocalVariable]> = [], parent?: Scope) {
    this.variables = new Map(variables);
    this.parent = parent;
  }

  find(name: string): LocalVariable | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }
}

/** A variable of a comprehension. */
export interface LocalVariable {
  readonly slot: number;
  /** Evaluates its value while its slot still holds `LAZY`. */
  readonly initial: Evaluate | undefined;
}

/** The number of uses of a name as an identifier in an expression. */
export function countUses(expression: Expression, name: string): number {
  switch (expression.kind) {
    case 'literal':
      return 0;
    case 'identifier':
      return expression.name === name ? 1 : 0;
    case 'select':
      return countUses(expression.operand, name);
    case 'call':
      return sum(
        [...(expression.target === undefined ? [] : [expression.target]), ...expression.arguments],
        name,
      );
    case 'list':
      return sum(expression.elements, name);
    case 'map':
      return sum(
        expression.entries.flatMap(({ key, value }) => [key, value]),
        name,
      );
    case 'message':
      return sum(
        expression.fields.map(({ value }) => value),
        name,
      );
    case 'comprehension':
      return sum(
        [expression.range, expression.initial, expression.condition, expression.step, expression.result],
        name,
      );
  }
}

function sum(expressions: readonly Expression[], name: string): number {
  return expressions.reduce((count, expression) => count + countUses(expression, name), 0);
}
