import type { CallCost, CelFunction, Implementation, Overload } from '../libraries/function.ts';
import { ErrorValue, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import type { ListValue } from '../values/list.ts';
import { isError, kindOf, runtimeTypeName, type Value } from '../values/value.ts';
import type { Evaluate } from './step.ts';

/** A function as resolved for one call. */
export interface CallTarget {
  readonly name: string;
  readonly invoke: Implementation;
  /** 1 when absent. */
  readonly cost: CallCost | undefined;
}

/** A call resolved to one overload; its arguments are still checked, since they can be dynamic. */
export function targetOf(of: CelFunction, overload: Overload, invoke = overload.invoke): CallTarget {
  return { name: of.name, cost: overload.cost ?? of.cost, invoke: guarded(of, overload, invoke) };
}

/** A call whose overload is chosen from the arguments at each evaluation. */
export function dynamicTarget(of: CelFunction, argumentCount: number): CallTarget {
  const overloads = of.overloads.filter((overload) => overload.arguments.length === argumentCount);
  return {
    name: of.name,
    cost: of.cost,
    invoke: (frame, first, second, third, fourth) => {
      for (const overload of overloads)
        if (fits(overload, first, second, third, fourth))
          return overload.invoke(frame, first, second, third, fourth);
      return noSuchOverload(of, [first, second, third, fourth].slice(0, argumentCount));
    },
  };
}

function guarded(of: CelFunction, overload: Overload, invoke: Implementation): Implementation {
  const count = overload.arguments.length;
  if (overload.arguments.every((kind) => kind === 'any')) return invoke;
  return (frame, first, second, third, fourth) =>
    fits(overload, first, second, third, fourth)
      ? invoke(frame, first, second, third, fourth)
      : noSuchOverload(of, [first, second, third, fourth].slice(0, count));
}

function fits(
  { arguments: kinds, element }: Overload,
  first: Value,
  second: Value,
  third: Value,
  fourth: Value,
): boolean {
  return (
    (kinds.length < 1 || kinds[0] === 'any' || kinds[0] === kindOf(first)) &&
    (kinds.length < 2 || kinds[1] === 'any' || kinds[1] === kindOf(second)) &&
    (kinds.length < 3 || kinds[2] === 'any' || kinds[2] === kindOf(third)) &&
    (kinds.length < 4 || kinds[3] === 'any' || kinds[3] === kindOf(fourth)) &&
    (element === undefined || startsWith(first as ListValue, element))
  );
}

const startsWith = (list: ListValue, kind: string): boolean =>
  list.size === 0 || kindOf(list.get(0)) === kind;

function noSuchOverload({ name, mismatchMessage }: CelFunction, args: readonly Value[]): ErrorValue {
  if (mismatchMessage === 'nothing') return NO_SUCH_OVERLOAD;
  return new ErrorValue(
    mismatchMessage === 'name'
      ? `no such overload: ${name}`
      : `no such overload: ${name}(${args.map(runtimeTypeName).join(', ')})`,
  );
}

/** Evaluates a call: all arguments, then the function unless one of them failed, then the cost. */
export function evaluateCall({ invoke, cost }: CallTarget, args: readonly Evaluate[]): Evaluate {
  const [first, second, third, fourth] = args;
  if (first === undefined) {
    return (frame) => {
      const result = invoke(frame, null, null, null, null);
      frame.charge(cost === undefined ? 1 : cost(frame, null, null, result));
      return result;
    };
  }
  if (second === undefined) {
    return (frame) => {
      const a = first(frame);
      const result = isError(a) ? a : invoke(frame, a, null, null, null);
      frame.charge(cost === undefined ? 1 : cost(frame, a, null, result));
      return result;
    };
  }
  if (third === undefined) {
    return (frame) => {
      const a = first(frame);
      const b = second(frame);
      const result = isError(a) ? a : isError(b) ? b : invoke(frame, a, b, null, null);
      frame.charge(cost === undefined ? 1 : cost(frame, a, b, result));
      return result;
    };
  }
  return (frame) => {
    const a = first(frame);
    const b = second(frame);
    const c = third(frame);
    const d = fourth === undefined ? null : fourth(frame);
    const failed = [a, b, c, d].find(isError);
    const result = failed ?? invoke(frame, a, b, c, d);
    frame.charge(cost === undefined ? 1 : cost(frame, a, b, result));
    return result;
  };
}
