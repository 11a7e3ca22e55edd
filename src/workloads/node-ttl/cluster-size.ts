/** Sizes of a cluster, which overlap so that a node more or less does not change the size again and again. */
const SIZES = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: 10_000, seconds: 300 },
  { least: 9000, most: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

/** The size of a cluster with so many nodes that had another size before. Sizes are numbers from 0. */
export function nextSize(size: number, nodes: number): number {
  let next = size;
  while (nodes > SIZES[next]!.most) next += 1;
  while (nodes < SIZES[next]!.least) next -= 1;
  return next;
}

/** How long kubelets of a cluster of a size may cache, in seconds. */
export const secondsOf = (size: number): number => SIZES[size]!.seconds;
