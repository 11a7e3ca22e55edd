import { sameType, type Type, typeParameters } from '../types.ts';
import { isParameterFree, type Substitution } from './substitution.ts';
import { TypeTooComplex } from './type-weight.ts';

/**
 * The maximum number of type comparisons in one check. Types can share parts, so comparing them can take
 * exponential time.
 */
const MAX_COMPARISONS = 1_000_000;

/** Whether the type is assignable to and from any type. */
export const isDynamic = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'any';

const isDynamicOrError = (type: Type): boolean => isDynamic(type) || type.kind === 'error';

/** Kinds of types that null is assignable to. */
const NULLABLE_KINDS: ReadonlySet<Type['kind']> = new Set([
  'null',
  'object',
  'opaque',
  'optional',
  'timestamp',
  'duration',
  'any',
]);

/**
 * Whether the first type is at least as general as the second; dyn and type variables are the most general,
 * also as type arguments.
 */
function isAsGeneralAs(a: Type, b: Type): boolean {
  if (isDynamic(a) || a.kind === 'parameter') return true;
  if (isDynamic(b) || b.kind === 'parameter') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type' || a === b) return true;
  if (a.kind === 'opaque' && b.kind === 'opaque' && a.name !== b.name) return false;
  const inner = typeParameters(a);
  const other = typeParameters(b);
  if (inner.length === 0) return sameType(a, b);
  return inner.length === other.length && inner.every((type, index) => isAsGeneralAs(type, other[index]!));
}

/** The more general of two types that are assignable to each other. */
export const mostGeneral = (a: Type, b: Type): Type => (isAsGeneralAs(a, b) ? a : b);

/** Decides whether types are assignable, and binds type variables to make them so. */
export class Assignability {
  readonly #substitution: Substitution;
  #comparisons = 0;

  constructor(substitution: Substitution) {
    this.#substitution = substitution;
  }

  /**
   * Whether a value of the second type is assignable to the first (or the reverse, for dynamic types).
   * Variables are bound only on success.
   */
  fits(a: Type, b: Type): boolean {
    return this.allFit([a], [b]);
  }

  /** As `fits`, for lists of types of equal length. */
  allFit(a: readonly Type[], b: readonly Type[]): boolean {
    if (a.length !== b.length) return false;
    const mark = this.#substitution.mark();
    if (a.every((type, index) => this.#compare(type, b[index]!))) return true;
    this.#substitution.undo(mark);
    return false;
  }

  #compare(a: Type, b: Type): boolean {
    if (++this.#comparisons > MAX_COMPARISONS) throw new TypeTooComplex();
    if (a === b && isParameterFree(a)) return true;
    if (b.kind === 'parameter') {
      const { fits, bound } = this.#bind(a, b);
      if (fits) return true;
      if (bound) return false;
    }
    if (a.kind === 'parameter') return this.#bind(b, a).fits;
    if (isDynamicOrError(a) || isDynamicOrError(b)) return true;
    if (a.kind === 'null') return NULLABLE_KINDS.has(b.kind);
    if (b.kind === 'null') return NULLABLE_KINDS.has(a.kind);
    if (a.kind !== b.kind) return false;
    if (a.kind === 'type') return true;
    if ('name' in a && 'name' in b && a.name !== b.name) return false;
    const inner = typeParameters(a);
    const other = typeParameters(b);
    return inner.length === other.length && inner.every((type, index) => this.#compare(type, other[index]!));
  }

  /** Whether a variable can be bound to a type; `bound` is the type that it is bound to already. */
  #bind(type: Type, variable: Type & { readonly kind: 'parameter' }): { fits: boolean; bound: boolean } {
    if (type.kind === 'parameter' && type.name === variable.name) return { fits: true, bound: true };
    const current = this.#substitution.find(variable.name);
    if (current !== undefined) {
      if (current === type || (current.kind === type.kind && this.#same(type, current)))
        return { fits: true, bound: true };
      if (!this.#compare(type, current)) return { fits: false, bound: true };
      const general = mostGeneral(type, current);
      if (!this.#occurs(variable, general)) this.#substitution.bind(variable.name, general);
      return { fits: true, bound: true };
    }
    if (this.#occurs(variable, type)) return { fits: false, bound: false };
    this.#substitution.bind(variable.name, type);
    return { fits: true, bound: false };
  }

  #same(a: Type, b: Type): boolean {
    if (++this.#comparisons > MAX_COMPARISONS) throw new TypeTooComplex();
    if (a === b) return true;
    if (a.kind !== b.kind || ('name' in a && 'name' in b && a.name !== b.name)) return false;
    const inner = typeParameters(a);
    const other = typeParameters(b);
    return inner.length === other.length && inner.every((type, index) => this.#same(type, other[index]!));
  }

  /** Whether a variable occurs in a type, directly or through the bindings of other variables. */
  #occurs(variable: Type & { readonly kind: 'parameter' }, type: Type): boolean {
    if (isParameterFree(type)) return false;
    if (++this.#comparisons > MAX_COMPARISONS) throw new TypeTooComplex();
    if (type.kind !== 'parameter') return typeParameters(type).some((inner) => this.#occurs(variable, inner));
    if (type.name === variable.name) return true;
    const bound = this.#substitution.find(type.name);
    return bound !== undefined && this.#occurs(variable, bound);
  }
}
