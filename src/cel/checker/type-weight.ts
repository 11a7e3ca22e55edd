import { type Type, typeParameters } from '../types.ts';

/**
 * The most types inside of one type. Types share parts (`x` in `{x: [x]}`), so that a short expression can
 * name a type that takes for ever to walk or print; what people write has some ten.
 */
const MAX_WEIGHT = 10_000;

/** Thrown when a type, or comparing types, takes more than any sensible expression needs. */
export class TypeTooComplex extends Error {}

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

/** The type, if it can be walked in reasonable time. */
export function checkedWeight(type: Type): Type {
  if (weightOf(type) > MAX_WEIGHT) throw new TypeTooComplex();
  return type;
}
