/** Longer words get no suggestion, so the work stays bounded. */
const LONGEST_WORD = 64;
/** A suggestion differs by at most this many edits, and by fewer when the word is short. */
const MOST_EDITS = 3;

/**
 * The candidate that a mistyped word most likely means: the nearest by inserted, removed, replaced and
 * swapped letters. Ties go to the first candidate. Undefined when none is near, or the word is longer than 64
 * letters.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let limit = Math.min(MOST_EDITS, Math.floor(word.length / 3));
  let found: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word, candidate);
    if (distance > limit || (found !== undefined && distance === limit)) continue;
    found = candidate;
    limit = distance;
  }
  return found;
}

/** `; did you mean X?`, or nothing when no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const suggestion = closest(word, candidates);
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
}

/** Edits between two words; a swap of neighbours counts once (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        edits = Math.min(edits, beforePrevious[column - 2]! + 1);
      current.push(edits);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length]!;
}
