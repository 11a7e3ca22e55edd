/** Upper bounds of `count` buckets, the first at `start`, each `factor` times the previous one. */
export function exponential(start: number, factor: number, count: number): number[] {
  const bounds: number[] = [];
  // Each bound is multiplied from the previous one: the last digits, which are shown, depend on it.
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}

/** Seconds: the default buckets of Prometheus. */
export const DEFAULT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
