import type { Expression } from '../syntax.ts';

/** `a.b.c` as one name, if the expression is written so; a test of a field's presence is none. */
export function qualifiedName(expression: Expression): string | undefined {
  const fields: string[] = [];
  let current = expression;
  while (current.kind === 'select' && !current.testOnly) {
    fields.push(current.field);
    current = current.operand;
  }
  return current.kind === 'identifier' ? [current.name, ...fields.reverse()].join('.') : undefined;
}

/** A name without the leading dot that makes it absolute: there is only one name space. */
export const absolute = (name: string): string => (name.startsWith('.') ? name.slice(1) : name);
