import type { Type } from '../types.ts';

/** Variables that comprehensions introduce, innermost first. */
export interface Scope {
  readonly name: string;
  readonly type: Type;
  readonly outer: Scope | undefined;
}

/** The type of the innermost variable of a name. */
export function findLocalVariable(scope: Scope | undefined, name: string): Type | undefined {
  for (let current = scope; current !== undefined; current = current.outer)
    if (current.name === name) return current.type;
  return undefined;
}
