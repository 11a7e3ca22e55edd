/** The indexes of list elements whose key occurred before. */
export interface Repeated {
  has(index: number): boolean;
}

const NONE: Repeated = { has: () => false };

/**
 * Returns the indexes of list elements whose key occurred before, in one pass: clients determine the length
 * of lists, and how many of their elements are equal.
 * @param keyOf returns a text or a value that compares by identity
 * @param seen keys that count as occurred before; those of the list are added
 */
export function findDuplicates<T>(
  list: readonly T[],
  keyOf: (element: T) => unknown,
  seen: Set<unknown> = new Set(),
): Repeated {
  // A byte for each index: a set of 100,000 numbers takes milliseconds.
  let repeated: Uint8Array | undefined;
  for (const [index, element] of list.entries()) {
    const distinct = seen.size;
    if (seen.add(keyOf(element)).size > distinct) continue;
    repeated ??= new Uint8Array(list.length);
    repeated[index] = 1;
  }
  const found = repeated;
  return found === undefined ? NONE : { has: (index) => found[index] === 1 };
}

const itself = <T>(element: T): T => element;
/** Positions of the strings that occur earlier in the list. */
export const findDuplicateStrings = (list: readonly string[]): Repeated =>
  // Most lists have none, and a set of a whole list is made fast.
  new Set(list).size === list.length ? NONE : findDuplicates(list, itself);
