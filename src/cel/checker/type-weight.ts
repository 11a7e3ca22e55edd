import { BinnacleError } from '../../errors/binnacle-error.ts';
import { type Type, typeParameters } from '../types.ts';

/**
 * The maximum number of nodes in a type. Types share parts (`x` in `{x: [x]}`), so a short expression can
 * have a type of exponential size; types in practice have about ten nodes.
 */
const MAX_WEIGHT = 10_000;

/** Thrown when walking or comparing a type takes too many steps. */
export class TypeTooComplex extends BinnacleError {
  override name = 'TypeTooComplex';
  readonly code = 'ERR_BINNACLE_TYPE_TOO_COMPLEX';
}

const weights = new WeakMap<Type, number>();

function weightOf(type: Type): number {
  const inner = typeParameters(type);
  if (inner.length === 0) return 1;
  let weight = weights.get(type);
  if (weight === undefined) {
    weight = inner.reduce((sum, part) => sum + weightOf(part), 1);
    weights.set(type, weight);
  }
  return weight;
}

/**
 * Returns the type unless it is too large to walk.
 * @throws TypeTooComplex
 */
export function checkedWeight(type: Type): Type {
  if (weightOf(type) > MAX_WEIGHT) throw new TypeTooComplex();
  return type;
}
