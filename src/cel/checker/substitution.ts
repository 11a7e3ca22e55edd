import { DYN, parameter, type Type, typeParameters } from '../types.ts';
import { checkedWeight, TypeTooComplex } from './type-weight.ts';

/** A type of the same kind with other type arguments. */
export function withTypeParameters(type: Type, inner: readonly Type[]): Type {
  switch (type.kind) {
    case 'list':
      return { kind: 'list', element: inner[0]! };
    case 'map':
      return { kind: 'map', key: inner[0]!, value: inner[1]! };
    case 'optional':
      return { kind: 'optional', value: inner[0]! };
    case 'type':
      return { kind: 'type', of: inner[0]! };
    case 'opaque':
      return { kind: 'opaque', name: type.name, parameters: inner };
    default:
      return type;
  }
}

/**
 * Types known to contain no parameter. Types are immutable and share parts; without this set they would be
 * walked repeatedly.
 */
const parameterFree = new WeakSet<Type>();

/** Whether a type contains no parameter. */
export function isParameterFree(type: Type): boolean {
  if (type.kind === 'parameter') return false;
  const inner = typeParameters(type);
  if (inner.length === 0 || parameterFree.has(type)) return true;
  if (!inner.every(isParameterFree)) return false;
  parameterFree.add(type);
  return true;
}

/** Replaces the parameters in a type; returns the same object if nothing changes. */
export function mapParameters(type: Type, replace: (name: string) => Type | undefined): Type {
  if (type.kind === 'parameter') return replace(type.name) ?? type;
  if (isParameterFree(type)) return type;
  return withTypeParameters(
    type,
    typeParameters(type).map((inner) => mapParameters(inner, replace)),
  );
}

/** The maximum number of variables replaced in one check. */
const MAX_REPLACEMENTS = 1_000_000;

/** The bindings of the type variables of one check, with rollback. */
export class Substitution {
  readonly #bindings = new Map<string, Type>();
  readonly #trail: { name: string; previous: Type | undefined }[] = [];
  #variables = 0;
  #replacements = 0;

  /** A new unbound type variable. */
  newVariable(): Type {
    return parameter(`_var${this.#variables++}`);
  }

  /** Skips the numbers of some variables. */
  skip(count: number): void {
    this.#variables += count;
  }

  find(name: string): Type | undefined {
    return this.#bindings.get(name);
  }

  bind(name: string, type: Type): void {
    this.#trail.push({ name, previous: this.#bindings.get(name) });
    this.#bindings.set(name, type);
  }

  /** A point to roll back to. */
  mark(): number {
    return this.#trail.length;
  }

  undo(mark: number): void {
    while (this.#trail.length > mark) {
      const { name, previous } = this.#trail.pop()!;
      if (previous === undefined) this.#bindings.delete(name);
      else this.#bindings.set(name, previous);
    }
  }

  /**
   * The type with its variables replaced by their bindings; `freeAsDyn` replaces unbound variables by dyn.
   */
  apply(type: Type, freeAsDyn: boolean): Type {
    const result = mapParameters(type, (name) => {
      if (++this.#replacements > MAX_REPLACEMENTS) throw new TypeTooComplex();
      const bound = this.#bindings.get(name);
      if (bound !== undefined) return this.apply(bound, freeAsDyn);
      return freeAsDyn ? DYN : undefined;
    });
    return checkedWeight(result);
  }
}
