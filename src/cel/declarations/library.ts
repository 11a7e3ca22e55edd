import type { OverloadDeclaration } from '../checked.ts';
import type { Type } from '../types.ts';

/** Functions that were introduced together. */
export interface Library {
  readonly name: string;
  /** The minor version (of 1.x) from which new expressions can use it; 0: all. */
  readonly since: number;
  readonly functions: readonly FunctionDeclaration[];
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly OverloadDeclaration[];
}

export const declare = (name: string, ...overloads: readonly OverloadDeclaration[]): FunctionDeclaration => ({
  name,
  overloads,
});

/** An overload called as `name(arguments)`. */
export const plain = (id: string, args: readonly Type[], result: Type): OverloadDeclaration => ({
  id,
  member: false,
  arguments: args,
  result,
});

/** An overload called as `receiver.name(arguments)`. */
export const member = (
  id: string,
  receiver: Type,
  args: readonly Type[],
  result: Type,
): OverloadDeclaration => ({
  id,
  member: true,
  arguments: [receiver, ...args],
  result,
});
