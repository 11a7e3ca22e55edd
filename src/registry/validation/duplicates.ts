/**
 * Returns the indexes of list elements whose key occurred before, in one pass: clients determine the length
 * of lists.
 * @param keyOf returns a text or a value that compares by identity
 */
export function findDuplicates<T>(list: readonly T[], keyOf: (element: T) => unknown): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [index, element] of list.entries()) {
    const key = keyOf(element);
    if (seen.has(key)) repeated.add(index);
    else seen.add(key);
  }
  return repeated;
}

const itself = <T>(element: T): T => element;
/** Positions of the strings that occur earlier in the list. */
export const findDuplicateStrings = (list: readonly string[]): ReadonlySet<number> =>
  // Most lists have none, and a set of a whole list is made fast.
  new Set(list).size === list.length ? NONE : findDuplicates(list, itself);
const NONE: ReadonlySet<number> = new Set();
