import { stepSizes } from './sizes.ts';
import type { Steps } from './steps.ts';

/** Returns a sorted copy of a list, in steps: sorts runs, then merges them. Stable. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  itemsAtOnce = stepSizes.nodes,
): Steps<Item[]> {
  let sorted: Item[] = [];
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    if (from > 0) yield;
    for (const item of items.slice(from, from + itemsAtOnce).sort(compare)) sorted.push(item);
  }
  let done = 0;
  for (let width = itemsAtOnce; width < items.length; width *= 2) {
    const merged: Item[] = [];
    for (let from = 0; from < items.length; from += 2 * width) {
      const middle = Math.min(from + width, items.length);
      const end = Math.min(middle + width, items.length);
      let left = from;
      let right = middle;
      while (left < middle || right < end) {
        if (++done % itemsAtOnce === 0) yield;
        const takesLeft = right >= end || (left < middle && compare(sorted[left]!, sorted[right]!) <= 0);
        merged.push(takesLeft ? sorted[left++]! : sorted[right++]!);
      }
    }
    sorted = merged;
  }
  return sorted;
}
