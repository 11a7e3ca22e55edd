import type { Constant, Expression } from '../../../src/cel/syntax.ts';

function constant(value: Constant): string {
  switch (value.type) {
    case 'null':
      return 'null';
    case 'uint':
      return `${value.value}u`;
    case 'double':
      return `${value.value}`.replace(/e([+-])(\d)$/, 'e$10$2');
    case 'string':
      return JSON.stringify(value.value);
    case 'bytes':
      return `b${JSON.stringify(Buffer.from(value.value).toString('latin1'))}`;
    default:
      return `${value.value}`;
  }
}

/**
 * A tree in one line: `f(a, b)`, `target.f(a)`, `loop(variable, range, accumulator, initial, condition, step,
 * result)`; `suffix` adds to each node.
 */
export function print(expression: Expression, suffix: (expression: Expression) => string = () => ''): string {
  const node = (child: Expression): string => print(child, suffix);
  const nodes = (children: readonly Expression[]): string => children.map(node).join(',');
  const text = (): string => {
    switch (expression.kind) {
      case 'literal':
        return constant(expression.constant);
      case 'identifier':
        return expression.name;
      case 'select':
        return `${node(expression.operand)}.${expression.field}${expression.testOnly ? '~test-only~' : ''}`;
      case 'call':
        return `${expression.target === undefined ? '' : `${node(expression.target)}.`}${expression.function}(${nodes(expression.arguments)})`;
      case 'list':
        return `[${expression.elements.map((element, index) => `${expression.optionalIndices.includes(index) ? '?' : ''}${node(element)}`).join(',')}]`;
      case 'map':
        return `{${expression.entries.map(({ key, value, optional }) => `${optional ? '?' : ''}${node(key)}:${node(value)}`).join(',')}}`;
      case 'message':
        return `${expression.type}{${expression.fields.map(({ name, value, optional }) => `${optional ? '?' : ''}${name}:${node(value)}`).join(',')}}`;
      case 'comprehension': {
        const { variable, secondVariable, range, accumulator, initial, condition, step, result } = expression;
        const variables = secondVariable === undefined ? [variable] : [variable, secondVariable];
        return `__comprehension__(${[...variables, node(range), accumulator, node(initial), node(condition), node(step), node(result)].join(',')})`;
      }
    }
  };
  return text() + suffix(expression);
}
