import { describe, expect, it } from 'vitest';
import { PAGES, pageText } from '../support/documents.ts';

const MAXIMUM_PROSE = 160;
const MAXIMUM_CELL = 200;

/** The lines of a page outside of blocks of code. */
function linesOf(page: string): string[] {
  let fenced = false;
  return pageText(page)
    .split('\n')
    .filter((line) => {
      const isFence = line.trimStart().startsWith('```');
      if (isFence) fenced = !fenced;
      return !isFence && !fenced;
    });
}

const isRow = (line: string): boolean => line.startsWith('|');

/** The cells of a table row; `\|` is no border. */
const cellsOf = (row: string): string[] => row.split(/(?<!\\)\|/).map((cell) => cell.trim());

const longerThan =
  (characters: number) =>
  (text: string): boolean =>
    text.length > characters;

describe.each(PAGES)('%s', (page) => {
  it(`has lines of at most ${MAXIMUM_PROSE} characters, apart from tables`, () => {
    expect(
      linesOf(page)
        .filter((line) => !isRow(line))
        .filter(longerThan(MAXIMUM_PROSE)),
    ).toEqual([]);
  });

  it(`has table cells of at most ${MAXIMUM_CELL} characters`, () => {
    expect(linesOf(page).filter(isRow).flatMap(cellsOf).filter(longerThan(MAXIMUM_CELL))).toEqual([]);
  });
});
