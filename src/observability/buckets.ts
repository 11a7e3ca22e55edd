/** Upper bounds of `count` buckets, the first at `start`, each `factor` times the previous one. */
export const exponential = (start: number, factor: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => start * factor ** index);

/** Seconds: the default buckets of Prometheus. */
export const DEFAULT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
