import type { ParsedExpression } from './syntax.ts';
import type { Type } from './types.ts';

/** What a name or call refers to once types are known. */
export type Reference =
  /**
   * A declared variable by its full name (`authorizer.requestResource` may be one); a type name used as a
   * value has `type`.
   */
  | { readonly kind: 'name'; readonly name: string; readonly type?: Type }
  /**
   * The overloads (ids of `functions.tsv`: `add_int64`, `matches_string`, …) that fit the arguments; more
   * than one only where a type is dynamic.
   */
  | { readonly kind: 'overloads'; readonly ids: readonly string[] };

/** An expression that type-checks. */
export interface CheckedExpression extends ParsedExpression {
  readonly type: Type;
  /** By expression id. Every node has a type. */
  readonly types: ReadonlyMap<number, Type>;
  /**
   * By expression id. A select that is part of a qualified variable name has the reference, and its operands
   * have none.
   */
  readonly references: ReadonlyMap<number, Reference>;
}

/** A function overload as the checker sees it; the planner finds its implementation by `id`. */
export interface OverloadDeclaration {
  readonly id: string;
  readonly member: boolean;
  /** For a member the receiver is first. */
  readonly arguments: readonly Type[];
  readonly result: Type;
}

/** The names that an expression may use. They are looked up lazily, so that environments can be layered. */
export interface Declarations {
  /** The type of a variable by its full name. */
  variable(name: string): Type | undefined;
  overloads(name: string): readonly OverloadDeclaration[] | undefined;
  /** A type usable by name: `int`, `google.protobuf.Timestamp`, object types. */
  typeNamed(name: string): Type | undefined;
  /** Whether two-variable comprehension macros and similar ones are enabled. */
  readonly twoVariableComprehensions: boolean;
}
