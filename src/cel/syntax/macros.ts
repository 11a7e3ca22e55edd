import type { Call, Expression } from '../syntax.ts';
import type { TreeBuilder } from './builder.ts';

/** The name of the accumulator in macro expansions. */
export const ACCUMULATOR = '__result__';

/** Thrown by an expander: the error and the argument that it is about. */
export class MacroError {
  readonly id: number;
  readonly message: string;

  constructor(id: number, message: string) {
    this.id = id;
    this.message = message;
  }
}

/** The input of an expander: the call as written, and a builder at the call's position. */
export interface MacroCall {
  readonly target: Expression;
  readonly arguments: readonly Expression[];
  readonly position: number;
  readonly build: TreeBuilder;
}

export type Expander = (call: MacroCall) => Expression;

/** Expanders by `name:argument count`; those of member calls have a `.` before the name. */
export type Macros = ReadonlyMap<string, Expander>;

/** The expansion of a macro call; other calls are returned unchanged. Errors are reported to `onMisuse`. */
export function expandMacro(
  call: Call,
  macros: Macros,
  build: TreeBuilder,
  onMisuse: (id: number, message: string) => void,
): Expression {
  const key = `${call.target === undefined ? '' : '.'}${call.function}:${call.arguments.length}`;
  const expand = macros.get(key);
  if (expand === undefined) return call;
  try {
    // Macros without a target do not read it.
    const expanded = expand({
      target: call.target ?? call,
      arguments: call.arguments,
      position: build.positionOf(call.id),
      build,
    });
    build.macroCalls.set(expanded.id, call);
    return expanded;
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    onMisuse(error.id, error.message);
    return call;
  }
}

/** The variable name declared by a macro's argument. */
export function variableName(argument: Expression, errorMessage: string): string {
  if (argument.kind !== 'identifier') throw new MacroError(argument.id, errorMessage);
  return argument.name;
}

/** {@link variableName} of a macro with two variables, which may not hide the accumulator. */
export function pairVariableName(argument: Expression, errorMessage: string): string {
  const name = variableName(argument, errorMessage);
  if (name === ACCUMULATOR)
    throw new MacroError(argument.id, 'iteration variable overwrites accumulator variable');
  return name;
}
