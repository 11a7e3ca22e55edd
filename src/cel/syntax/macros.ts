import type { Call, Expression } from '../syntax.ts';
import type { TreeBuilder } from './builder.ts';

/** The name of the accumulator in what the macros expand to. */
export const ACCUMULATOR = '__result__';

/** Thrown by an expander: what is wrong with which argument. */
export class MacroError {
  readonly id: number;
  readonly message: string;

  constructor(id: number, message: string) {
    this.id = id;
    this.message = message;
  }
}

/** What an expander works with: the call as written, and nodes made at the call's position. */
export interface MacroCall {
  readonly target: Expression;
  readonly arguments: readonly Expression[];
  readonly position: number;
  readonly build: TreeBuilder;
}

export type Expander = (call: MacroCall) => Expression;

/** Expanders by `name:argument count`, those of calls on a target with a `.` before the name. */
export type Macros = ReadonlyMap<string, Expander>;

/** The call, or what it stands for if it is a macro; misuse is told to `onMisuse`. */
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
    // Macros without a target never look at it.
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

/** The name that a macro's argument introduces. */
export function variableName(argument: Expression, complaint: string): string {
  if (argument.kind !== 'identifier') throw new MacroError(argument.id, complaint);
  if (argument.name === ACCUMULATOR)
    throw new MacroError(argument.id, 'iteration variable overwrites accumulator variable');
  return argument.name;
}
