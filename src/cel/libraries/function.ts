import type { Frame } from '../planner/frame.ts';
import type { Value } from '../values/value.ts';

/** Computes a call's value. The arguments have the kinds of the overload; missing ones are null. */
export type Implementation = (
  frame: Frame,
  first: Value,
  second: Value,
  third: Value,
  fourth: Value,
) => Value;

/** The cost of a call from its arguments (of any kind) and its value. */
export type CallCost = (frame: Frame, first: Value, second: Value, result: Value) => number;

/** The kind of an argument: a scalar kind, `list`, `map`, `optional`, …, an opaque type's name, or `any`. */
export type ArgumentKind = string;

/** One overload of a function. */
export interface Overload {
  /** As in the declarations: `add_int64`, `matches_string`. */
  readonly id: string;
  readonly arguments: readonly ArgumentKind[];
  /** The kind of the first element of the first argument, a list; other elements are not checked. */
  readonly element?: ArgumentKind;
  readonly invoke: Implementation;
  /** The cost of a call known to resolve to this overload; 1 when absent. */
  readonly cost?: CallCost;
  /**
   * Creates the implementation for a constant second argument, once; an error value when the constant is
   * invalid.
   */
  readonly prepare?: (second: Value) => Implementation | Value;
}

/** A function with its overloads. */
export interface CelFunction {
  /** With its namespace: `optional.of`, `size`, `_+_`. */
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The cost of every call, whether or not its overload is known. */
  readonly cost?: CallCost;
  /**
   * The error for arguments that match no overload: `signature` is `no such overload: name(int, string)`,
   * `name` omits the types (as trait functions do), and `nothing` omits the name too. Default: `signature`.
   */
  readonly mismatchMessage?: 'signature' | 'name' | 'nothing';
}

/** The functions available to programs. */
export class FunctionTable {
  private readonly functions = new Map<string, CelFunction>();
  private readonly overloads = new Map<string, { readonly of: CelFunction; readonly overload: Overload }>();

  constructor(libraries: Iterable<readonly CelFunction[]>) {
    for (const library of libraries) {
      for (const declared of library) {
        const known = this.functions.get(declared.name);
        const merged =
          known === undefined
            ? declared
            : { ...known, ...declared, overloads: [...known.overloads, ...declared.overloads] };
        this.functions.set(declared.name, merged);
        for (const overload of declared.overloads)
          this.overloads.set(overload.id, { of: declared, overload });
      }
    }
  }

  named(name: string): CelFunction | undefined {
    return this.functions.get(name);
  }

  overload(id: string): { readonly of: CelFunction; readonly overload: Overload } | undefined {
    return this.overloads.get(id);
  }
}
