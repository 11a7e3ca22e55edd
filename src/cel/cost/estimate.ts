import type { CheckedExpression } from '../checked.ts';
import { ACCUMULATOR } from '../syntax/macros.ts';
import type { Call, Comprehension, Expression, Select } from '../syntax.ts';
import type { CallEstimate } from './call-context.ts';
import { estimateCall } from './calls.ts';
import { LIST_LITERAL, MAP_LITERAL, MESSAGE_LITERAL } from './library-calls.ts';
import { literalSize, type Operand, type SizeHints, Sizes } from './nodes.ts';
import { add, exactly, multiply, NOTHING, ONE, type Range, sum, union } from './size.ts';

/**
 * Estimates the minimum and maximum cost of evaluating an expression, from the sizes of its literals and
 * those that the schema allows (`hints`). Saturates at 2^64 - 1.
 */
export function estimateCost(
  checked: CheckedExpression,
  hints?: SizeHints,
  options: EstimateOptions = {},
): Range {
  return new Estimator(checked, hints, options).cost(checked.root);
}

/** What differs among the releases of the estimator. */
export interface EstimateOptions {
  /** `dyn(value)` has the size of its value. Default: an unknown size. */
  readonly keepsSizeOfDyn?: boolean;
}

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #sizes: Sizes;
  readonly #keepsSizeOfDyn: boolean;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #resultSizes = new Map<number, Range>();
  /** The ranges of loop variables, innermost last. */
  readonly #loops = new Map<string, Expression[]>();

  constructor(
    checked: CheckedExpression,
    hints: SizeHints | undefined,
    { keepsSizeOfDyn = false }: EstimateOptions,
  ) {
    this.#checked = checked;
    this.#keepsSizeOfDyn = keepsSizeOfDyn;
    this.#sizes = new Sizes(hints);
  }

  cost(expression: Expression): Range {
    switch (expression.kind) {
      case 'literal':
        return NOTHING;
      case 'identifier':
        this.#notePathOfName(expression.id, expression.name);
        return ONE;
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return sum(exactly(LIST_LITERAL), ...expression.elements.map((element) => this.cost(element)));
      case 'map':
        return sum(
          exactly(MAP_LITERAL),
          ...expression.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]),
        );
      case 'message':
        return sum(exactly(MESSAGE_LITERAL), ...expression.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  #notePathOfName(id: number, name: string): void {
    const range = this.#loops.get(name)?.at(-1);
    if (range === undefined) {
      this.#paths.set(id, [name]);
      return;
    }
    const { kind } = this.#checked.types.get(range.id)!;
    const step = kind === 'list' ? '@items' : kind === 'map' ? '@keys' : undefined;
    if (step !== undefined) this.#paths.set(id, [...(this.#paths.get(range.id) ?? []), step]);
  }

  #select({ id, operand, field, testOnly }: Select): Range {
    const { references, types } = this.#checked;
    // The operands of a qualified variable name have no types.
    if (references.has(id) && !types.has(operand.id)) return this.#qualifiedName(id, operand, field);
    const cost = this.cost(operand);
    if (testOnly) return cost;
    this.#paths.set(id, [...(this.#paths.get(operand.id) ?? []), field]);
    const { kind } = types.get(operand.id)!;
    return kind === 'map' || kind === 'object' || kind === 'parameter' ? add(cost, ONE) : cost;
  }

  #qualifiedName(id: number, operand: Expression, field: string): Range {
    const names = [field];
    let current = operand;
    for (; current.kind === 'select'; current = current.operand) names.push(current.field);
    if (current.kind === 'identifier') names.push(current.name);
    // The qualified name is one name, like that of a variable.
    this.#paths.set(id, [names.reverse().join('.')]);
    return ONE;
  }

  #operand(expression: Expression): Operand {
    const path = this.#paths.get(expression.id);
    return {
      type: this.#checked.types.get(expression.id)!,
      expression,
      // The value of an accumulator has no path in the schema.
      path: path?.[0] === ACCUMULATOR ? undefined : path,
      size: this.#resultSizes.get(expression.id) ?? literalSize(expression),
    };
  }

  #call(call: Call): Range {
    if (this.#keepsSizeOfDyn && call.function === 'dyn') return this.#dyn(call);
    const argumentCosts = call.arguments.map((argument) => this.cost(argument));
    const reference = this.#checked.references.get(call.id);
    if (reference?.kind !== 'overloads') return NOTHING;
    // A namespace prefix in a function's name is not an operand.
    const receiver =
      call.target !== undefined && this.#checked.types.has(call.target.id) ? call.target : undefined;
    const receiverCost = receiver === undefined ? NOTHING : this.cost(receiver);
    const args = call.arguments.map((argument) => this.#operand(argument));
    const target = receiver === undefined ? undefined : this.#operand(receiver);
    const context = { name: call.function, target, arguments: args, argumentCosts, sizes: this.#sizes };
    let result: CallEstimate | undefined;
    for (const overload of reference.ids) {
      const estimate = estimateCall(overload, context);
      result = result === undefined ? estimate : unionOf(result, estimate);
      this.#notePathOfIndex(call, overload);
    }
    if (result?.size !== undefined) this.#resultSizes.set(call.id, result.size);
    return add(receiverCost, result?.cost ?? NOTHING);
  }

  #dyn({ id, arguments: [value] }: Call): Range {
    const cost = add(ONE, this.cost(value!));
    const size = this.#sizes.known(this.#operand(value!));
    if (size !== undefined) this.#resultSizes.set(id, size);
    return cost;
  }

  #notePathOfIndex(call: Call, overload: string): void {
    const step = overload === 'index_list' ? '@items' : overload === 'index_map' ? '@values' : undefined;
    if (step !== undefined)
      this.#paths.set(call.id, [...(this.#paths.get(call.arguments[0]!.id) ?? []), step]);
  }

  #comprehension(loop: Comprehension): Range {
    const around = add(this.cost(loop.range), this.cost(loop.initial));
    const ranges = this.#loops.get(loop.variable) ?? [];
    this.#loops.set(loop.variable, ranges);
    ranges.push(loop.range);
    const iteration = add(this.cost(loop.condition), this.cost(loop.step));
    ranges.pop();
    const result = this.cost(loop.result);
    const size = this.#sizes.of(this.#operand(loop.range));
    if (loop.initial.kind === 'literal') this.#resultSizes.set(loop.id, ONE);
    else if (loop.initial.kind === 'list' || loop.initial.kind === 'map')
      this.#resultSizes.set(loop.id, size);
    return sum(around, result, multiply(size, iteration));
  }
}

function unionOf(a: CallEstimate, b: CallEstimate): CallEstimate {
  const size = a.size === undefined || b.size === undefined ? (a.size ?? b.size) : union(a.size, b.size);
  return { cost: union(a.cost, b.cost), size };
}
