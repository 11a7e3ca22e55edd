/** What a priority level may and should get of the seats. */
export interface SeatClaim {
  /** At least 0. */
  readonly lower: number;
  /** At least `lower`. */
  readonly upper: number;
  /** At least `lower`; values below {@link LEAST_TARGET} count as that. */
  readonly target: number;
}

export interface SeatAllocation {
  /** Seats by claim, not rounded; undefined if the bounds do not permit the sum. */
  readonly seats: readonly number[] | undefined;
  /** The factor by which the targets are multiplied. */
  readonly fraction: number;
}

const LEAST_TARGET = 0.001;
const EPSILON = 1e-7;

/**
 * Divides seats: each claim gets its target times one common factor, within its bounds, so that all together
 * get `sum`. kube-apiserver computes the same values.
 * @param sum at least 0
 */
export function allocateSeats(sum: number, claims: readonly SeatClaim[]): SeatAllocation {
  const targets = claims.map(({ target }) => Math.max(target, LEAST_TARGET));
  const lowest = sumOf(claims.map(({ lower }) => lower));
  const highest = sumOf(claims.map(({ upper }) => upper));
  if (lowest - sum > EPSILON || sum - highest > EPSILON) return { seats: undefined, fraction: 0 };
  if (sum === 0) return { seats: claims.map(() => 0), fraction: 0 };
  const lowerFactors = claims.map(({ lower }, index) => lower / targets[index]!);
  const upperFactors = claims.map(({ upper }, index) => upper / targets[index]!);
  if (lowest - sum > -EPSILON)
    return { seats: claims.map(({ lower }) => lower), fraction: Math.min(...lowerFactors) };
  if (sum - highest > -EPSILON)
    return { seats: claims.map(({ upper }) => upper), fraction: Math.max(...upperFactors) };
  const fraction = commonFactor(sum - lowest, targets, lowerFactors, upperFactors);
  return {
    seats: claims.map(({ lower, upper }, index) =>
      Math.max(lower, Math.min(upper, fraction * targets[index]!)),
    ),
    fraction,
  };
}

/**
 * The factor at which the claims together get `missing` seats more than their lower bounds. As it grows, a
 * claim grows from its lower factor to its upper factor; between two such points, the sum grows linearly.
 */
function commonFactor(
  missing: number,
  targets: readonly number[],
  lowerFactors: readonly number[],
  upperFactors: readonly number[],
): number {
  const points = [
    ...targets.map((target, index) => ({ factor: lowerFactors[index]!, change: target })),
    ...targets.map((target, index) => ({ factor: upperFactors[index]!, change: -target })),
  ].sort((left, right) => left.factor - right.factor);
  let factor = points[0]!.factor;
  let growing = 0;
  let left = missing;
  for (const point of points) {
    const gained = (point.factor - factor) * growing;
    if (gained >= left && growing > 0) return factor + left / growing;
    left -= gained;
    factor = point.factor;
    growing += point.change;
  }
  return factor;
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
