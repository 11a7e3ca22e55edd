import type { Frame } from '../planner/frame.ts';
import { Halt } from '../planner/halt.ts';

/**
 * The longest text (in UTF-16 units) that an evaluation may make. Costs of some functions (replace, format)
 * don't count what they make, so without it a short expression could take all memory. Beyond it the
 * evaluation ends as if its cost limit were exceeded.
 */
export const MAX_TEXT_UNITS = 16 * 1024 * 1024;

/**
 * Counts a text that is about to be made, in UTF-16 units.
 * @throws Halt when it is too long, alone or with what was made before
 */
export function countCreatedText(frame: Frame, length: number): void {
  if (length > MAX_TEXT_UNITS) throw new Halt('limit');
  frame.work(Math.ceil(length / 16));
}

/**
 * Counts a text that is read from end to end where the cost doesn't tell.
 * @throws Halt when that is too much, with what was done before
 */
export function countReadText(frame: Frame, text: string): void {
  if (text.length > 8) frame.work(text.length >> 3);
}
