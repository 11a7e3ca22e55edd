import type { OverloadDeclaration } from '../checked.ts';
import { DYN, sameType, type Type, typeName } from '../types.ts';
import { type Assignability, isDynamic } from './assignability.ts';
import { mapParameters, type Substitution } from './substitution.ts';

/** The matching overloads, and the type of the result: dyn if they differ. */
export interface Resolution {
  readonly ids: readonly string[];
  readonly type: Type;
}

/**
 * Whether an argument can never match a declared type, whatever its variables are bound to: both kinds are
 * known and differ.
 */
function cannotFit(declared: Type, argument: Type): boolean {
  if (declared.kind === argument.kind) return false;
  const open = (type: Type): boolean =>
    isDynamic(type) || type.kind === 'parameter' || type.kind === 'error' || type.kind === 'null';
  return !open(declared) && !open(argument);
}

const parameterCounts = new WeakMap<OverloadDeclaration, number>();

/** The number of type parameters of an overload. */
function parameterCount(overload: OverloadDeclaration): number {
  let count = parameterCounts.get(overload);
  if (count === undefined) {
    const names = new Set<string>();
    const collect = (type: Type): Type =>
      mapParameters(type, (name) => {
        names.add(name);
        return undefined;
      });
    [...overload.arguments, overload.result].forEach(collect);
    count = names.size;
    parameterCounts.set(overload, count);
  }
  return count;
}

/** An overload with new type variables in place of its parameters. */
function instantiate(
  overload: OverloadDeclaration,
  substitution: Substitution,
): { readonly arguments: readonly Type[]; readonly result: Type } {
  if (parameterCount(overload) === 0) return overload;
  const variables = new Map<string, Type>();
  const rename = (type: Type): Type =>
    mapParameters(type, (name) => {
      let variable = variables.get(name);
      if (variable === undefined) {
        variable = substitution.newVariable();
        variables.set(name, variable);
      }
      return variable;
    });
  return { arguments: overload.arguments.map(rename), result: rename(overload.result) };
}

/**
 * Finds the overloads that accept arguments of the given types (for a member the receiver is first);
 * undefined when none does.
 */
export function resolve(
  overloads: readonly OverloadDeclaration[],
  member: boolean,
  args: readonly Type[],
  assignability: Assignability,
  substitution: Substitution,
): Resolution | undefined {
  const ids: string[] = [];
  let type: Type | undefined;
  for (const overload of overloads) {
    if (overload.member !== member) continue;
    if (
      overload.arguments.length !== args.length ||
      overload.arguments.some((declared, index) => cannotFit(declared, args[index]!))
    ) {
      // Messages can contain the names of type variables, which are numbered as if every overload had been
      // tried.
      substitution.skip(parameterCount(overload));
      continue;
    }
    const instance = instantiate(overload, substitution);
    if (!assignability.allFit(args, instance.arguments)) continue;
    ids.push(overload.id);
    const result = substitution.apply(instance.result, false);
    if (type === undefined) type = result;
    else if (!isDynamic(type) && !sameType(type, result)) type = DYN;
  }
  return type === undefined ? undefined : { ids, type };
}

/** The arguments of a call as messages print them: `(int, string)`, for a member `string.(int)`. */
export function describeCall(types: readonly Type[], member: boolean): string {
  const names = types.map(typeName);
  return member ? `${names[0]}.(${names.slice(1).join(', ')})` : `(${names.join(', ')})`;
}
