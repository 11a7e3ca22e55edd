import type { Expression } from '../syntax.ts';
import { ACCUMULATOR, type MacroCall } from './macros.ts';

/** The variables of a comprehension. */
export interface Loop {
  readonly call: MacroCall;
  readonly variable: string;
  readonly second?: string;
}

const accumulator = ({ call }: Loop): Expression => call.build.identifier(call.position, ACCUMULATOR);
const bool = ({ call }: Loop, value: boolean): Expression =>
  call.build.literal(call.position, { type: 'bool', value });
const int = ({ call }: Loop, value: bigint): Expression =>
  call.build.literal(call.position, { type: 'int', value });
const invoke = ({ call }: Loop, name: string, ...args: readonly Expression[]): Expression =>
  call.build.call(call.position, name, ...args);

interface Parts {
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

const comprehension = ({ call, variable, second }: Loop, parts: Parts): Expression =>
  call.build.comprehension(call.position, {
    range: call.target,
    variable,
    secondVariable: second,
    accumulator: ACCUMULATOR,
    ...parts,
  });

/** `all`: true unless an element is false; an error is the result only if no element is false. */
export const expandAll = (loop: Loop, predicate: Expression): Expression =>
  comprehension(loop, {
    initial: bool(loop, true),
    condition: invoke(loop, '@not_strictly_false', accumulator(loop)),
    step: invoke(loop, '_&&_', accumulator(loop), predicate),
    result: accumulator(loop),
  });

export const expandExists = (loop: Loop, predicate: Expression): Expression =>
  comprehension(loop, {
    initial: bool(loop, false),
    condition: invoke(loop, '@not_strictly_false', invoke(loop, '!_', accumulator(loop))),
    step: invoke(loop, '_||_', accumulator(loop), predicate),
    result: accumulator(loop),
  });

export const expandExistsOne = (loop: Loop, predicate: Expression): Expression =>
  comprehension(loop, {
    initial: int(loop, 0n),
    condition: bool(loop, true),
    step: invoke(
      loop,
      '_?_:_',
      predicate,
      invoke(loop, '_+_', accumulator(loop), int(loop, 1n)),
      accumulator(loop),
    ),
    result: invoke(loop, '_==_', accumulator(loop), int(loop, 1n)),
  });

/** A list of `element` for every element that matches `filter`. */
export const expandList = (loop: Loop, filter: Expression | undefined, element: Expression): Expression => {
  const append = invoke(loop, '_+_', accumulator(loop), loop.call.build.list(loop.call.position, [element]));
  return comprehension(loop, {
    initial: loop.call.build.list(loop.call.position, []),
    condition: bool(loop, true),
    step: filter === undefined ? append : invoke(loop, '_?_:_', filter, append, accumulator(loop)),
    result: accumulator(loop),
  });
};

/**
 * A map built by adding `inserted` with `cel.@mapInsert` (a key and a value, or a map) for every element that
 * matches `filter`.
 */
export const expandMap = (
  loop: Loop,
  filter: Expression | undefined,
  ...inserted: readonly Expression[]
): Expression => {
  const insert = invoke(loop, 'cel.@mapInsert', accumulator(loop), ...inserted);
  return comprehension(loop, {
    initial: loop.call.build.map(loop.call.position, []),
    condition: bool(loop, true),
    step: filter === undefined ? insert : invoke(loop, '_?_:_', filter, insert, accumulator(loop)),
    result: accumulator(loop),
  });
};
