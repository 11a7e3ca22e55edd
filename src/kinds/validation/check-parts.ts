import { checkEach } from '../../steps/replay.ts';

/** Characters of a text that are checked at once, and the cost of that. */
const CHARACTERS = 16 * 1024;
const COST = 4096;

/**
 * What a check finds in the parts of a text between separators, in order. A long text is split piece by piece.
 * @param owner identifies the check between runs of a validation, with the place: the object that has the text
 * @param check gets a part and its index
 */
export function checkParts<Found>(
  owner: object,
  { place, text, separator }: { readonly place: string; readonly text: string; readonly separator: string },
  check: (part: string, index: number) => readonly Found[],
): Found[] {
  if (text.length <= CHARACTERS) return text.split(separator).flatMap(check);
  return checkEach(owner, { place, cost: COST, items: () => piecesOf(text, separator) }, ({ piece, first }) =>
    piece.split(separator).flatMap((part, index) => check(part, first + index)),
  );
}

interface Piece {
  /** Whole parts with the separators between them. */
  readonly piece: string;
  /** Index of the first part. */
  readonly first: number;
}

function piecesOf(text: string, separator: string): Piece[] {
  const pieces: Piece[] = [];
  let first = 0;
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf(separator, start + CHARACTERS);
    const piece = end < 0 ? text.slice(start) : text.slice(start, end);
    pieces.push({ piece, first });
    if (end < 0) break;
    first += countOf(separator, piece) + 1;
    start = end + separator.length;
  }
  return pieces;
}

function countOf(separator: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length))
    count += 1;
  return count;
}
