/** A half-open range of keys; an empty `end` has no upper bound. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

/** Sorts after every key: keys have one byte per character. */
export const afterAllKeys = '\u0100';

/** The exclusive end of a range as a comparable string. */
export function upperBound(end: string): string {
  return end === '' ? afterAllKeys : end;
}

/** Whether `range` contains `key`. */
export function contains(range: KeyRange, key: string): boolean {
  return key >= range.start && (range.end === '' || key < range.end);
}

/**
 * Finds the ranges that contain a key: an array ordered by start, with the highest end so far next to each
 * entry. A lookup costs O(log n + matches) when ranges are disjoint, as resource prefixes are; changes cost
 * O(n) and are rare.
 */
export class RangeIndex<T extends KeyRange> {
  #ranges: T[] = [];
  #highestEnds: string[] = [];

  get size(): number {
    return this.#ranges.length;
  }

  add(range: T): void {
    this.#ranges.splice(this.#countStartingAtOrBefore(range.start), 0, range);
    this.#rebuild();
  }

  remove(range: T): void {
    const index = this.#ranges.indexOf(range);
    if (index < 0) return;
    this.#ranges.splice(index, 1);
    this.#rebuild();
  }

  /** Returns a copy of all ranges, ordered by start. */
  all(): T[] {
    return [...this.#ranges];
  }

  /** Calls `found` for each range that contains `key`. `found` must not change the index. */
  forEachContaining(key: string, found: (range: T) => void): void {
    for (
      let index = this.#countStartingAtOrBefore(key) - 1;
      index >= 0 && this.#highestEnds[index]! > key;
      index -= 1
    ) {
      const range = this.#ranges[index]!;
      if (upperBound(range.end) > key) found(range);
    }
  }

  #countStartingAtOrBefore(key: string): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranges[middle]!.start <= key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #rebuild(): void {
    let highest = '';
    this.#highestEnds = this.#ranges.map((range) => {
      const end = upperBound(range.end);
      if (end > highest) highest = end;
      return highest;
    });
  }
}
