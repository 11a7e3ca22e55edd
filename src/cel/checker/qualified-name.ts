import type { Expression } from '../syntax.ts';

/**
 * The dotted name that an expression spells (`a.b.c`); undefined for any other expression, including `has()`.
 */
export function qualifiedName(expression: Expression): string | undefined {
  const fields: string[] = [];
  let current = expression;
  while (current.kind === 'select' && !current.testOnly) {
    fields.push(current.field);
    current = current.operand;
  }
  return current.kind === 'identifier' ? [current.name, ...fields.reverse()].join('.') : undefined;
}

/** A name without the leading dot that makes it absolute: there is only one namespace. */
export const absolute = (name: string): string => (name.startsWith('.') ? name.slice(1) : name);
