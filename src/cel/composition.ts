import type { Bindings } from './planner/frame.ts';
import { Halt } from './planner/halt.ts';
import type { Program } from './planner/program.ts';
import { DYN, list, map, type ObjectType, type Type } from './types.ts';
import { ErrorValue } from './values/error-value.ts';
import { MapValue } from './values/map.ts';
import type { Value } from './values/value.ts';

/** A named expression that others refer to as `variables.name`. */
export interface ComposedVariable {
  readonly name: string;
  /** Absent if the expression does not compile. */
  readonly program?: Program;
  /** The reason why it does not compile. */
  readonly error?: string;
}

/** The limit on the cost of one variable. */
const VARIABLE_LIMIT = 1_000_000;
const UNRESOLVED = new ErrorValue('no such key');

/**
 * The value of `variables`: each variable is evaluated on first use, at most once. Its cost is not part of
 * the evaluation that uses it; callers take it with {@link takeCost}.
 */
export class ComposedVariables extends MapValue {
  readonly size: number;
  readonly #variables: ReadonlyMap<string, ComposedVariable>;
  readonly #bindings: Bindings;
  readonly #values = new Map<string, Value>();
  #cost = 0;

  /** @param bindings the variables that the expressions refer to, with `variables` itself */
  constructor(variables: ReadonlyMap<string, ComposedVariable>, bindings: Bindings) {
    super();
    this.size = variables.size;
    this.#variables = variables;
    this.#bindings = bindings;
  }

  /** The cost of the variables that were evaluated since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const variable = this.#variables.get(key);
    if (variable === undefined) return undefined;
    // With duplicate names, a variable can refer to itself: then it has no value.
    this.#values.set(key, UNRESOLVED);
    try {
      const value = this.#evaluate(variable);
      this.#values.set(key, value);
      return value;
    } catch (error) {
      this.#values.delete(key);
      throw error;
    }
  }

  keys(): readonly Value[] {
    return [...this.#variables.keys()];
  }

  /** @throws Halt when it waits for an authorization decision */
  #evaluate({ name, program, error }: ComposedVariable): Value {
    if (program === undefined)
      return new ErrorValue(`composited variable "${name}" fails to compile: ${error ?? ''}`);
    const evaluation = program.evaluate(this.#bindings, { limit: VARIABLE_LIMIT });
    if (evaluation.kind === 'suspended') throw new Halt('suspended', evaluation.until);
    this.#cost += evaluation.cost;
    return evaluation.kind === 'value'
      ? evaluation.value
      : new ErrorValue(`composited variable "${name}" fails to evaluate: ${evaluation.error.message}`);
  }
}

/** The type of `variables` with the fields of a table, which may grow. */
export const variablesType = (fields: ReadonlyMap<string, Type>): ObjectType => ({
  kind: 'object',
  name: 'kubernetes.variables',
  field: (name) => {
    const type = fields.get(name);
    return type && { type };
  },
});

/** Nesting depth up to which the types of variables are tracked; deeper parts are dynamic. */
const MAXIMUM_TYPE_DEPTH = 50;

/** The type of a variable as others see it: scalars, lists and maps are kept, other types are dynamic. */
export function variableType(type: Type, depth = MAXIMUM_TYPE_DEPTH): Type {
  if (depth === 0) return DYN;
  switch (type.kind) {
    case 'list':
      return list(variableType(type.element, depth - 1));
    case 'map':
      return map(variableType(type.key, depth - 1), variableType(type.value, depth - 1));
    case 'object':
    case 'opaque':
    case 'optional':
    case 'type':
    case 'parameter':
    case 'error':
      return DYN;
    default:
      return type;
  }
}
