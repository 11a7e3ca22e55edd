import { BEST_SCORE, type Criterion } from './score.ts';

/** More unused CPU and memory; containers without requests count as small ones. */
export const leastAllocated: Criterion = ({ info: { nonZero } }, nodes) =>
  nodes.map(({ info, nonZeroRequested }) => {
    const { milliCpu, memory } = info!.allocatable;
    const parts = [
      unusedShare(nonZeroRequested.milliCpu + nonZero.milliCpu, milliCpu),
      unusedShare(nonZeroRequested.memory + nonZero.memory, memory),
    ].filter((part) => part !== undefined);
    return parts.length === 0 ? 0 : Math.trunc(parts.reduce((sum, part) => sum + part, 0) / parts.length);
  });

/** Undefined for a resource that the node does not have. */
function unusedShare(requested: number, capacity: number): number | undefined {
  if (capacity === 0) return undefined;
  return requested > capacity ? 0 : Math.trunc(((capacity - requested) * BEST_SCORE) / capacity);
}

/** CPU and memory that are used to the same degree. */
export const balancedAllocation: Criterion = ({ info: { requests } }, nodes) =>
  nodes.map(({ info, requested }) => {
    const { milliCpu, memory } = info!.allocatable;
    const deviation =
      milliCpu === 0 || memory === 0
        ? 0
        : Math.abs(
            usedShare(requested.milliCpu + requests.milliCpu, milliCpu) -
              usedShare(requested.memory + requests.memory, memory),
          ) / 2;
    return Math.trunc((1 - deviation) * BEST_SCORE);
  });

const usedShare = (requested: number, capacity: number): number => Math.min(requested / capacity, 1);
