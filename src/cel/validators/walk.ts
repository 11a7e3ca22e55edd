import type { Expression } from '../syntax.ts';

/** The child nodes of a node. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined
        ? expression.arguments
        : [expression.target, ...expression.arguments];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'message':
      return expression.fields.map(({ value }) => value);
    case 'comprehension':
      return [expression.range, expression.initial, expression.condition, expression.step, expression.result];
  }
}
