/**
 * Returns the position of the first item that is not before a place in their order, in logarithmic time; their number
 * if all are.
 * @param items in an order in which those that are before the place come first
 */
export function lowerBound<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let from = 0;
  let end = items.length;
  while (from < end) {
    const middle = (from + end) >>> 1;
    if (isBefore(items[middle]!)) from = middle + 1;
    else end = middle;
  }
  return from;
}
