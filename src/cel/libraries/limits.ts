import type { Frame } from '../planner/frame.ts';
import { Halt } from '../planner/halt.ts';

/**
 * The maximum length of texts created in one evaluation, in UTF-16 units. The costs of some functions
 * (replace, format) do not depend on the size of the result; without this bound a short expression could
 * exhaust memory. Exceeding it ends the evaluation like exceeding its cost limit.
 */
export const MAX_TEXT_UNITS = 16 * 1024 * 1024;

/**
 * Counts a text before it is created, in UTF-16 units.
 * @throws Halt when the evaluation has created too much text
 */
export function countCreatedText(frame: Frame, length: number): void {
  if (length > MAX_TEXT_UNITS) throw new Halt('limit');
  frame.work(Math.ceil(length / 16));
}

/**
 * Counts a text that is read completely by a function whose cost does not depend on its length.
 * @throws Halt when the evaluation has done too much work
 */
export function countReadText(frame: Frame, text: string): void {
  if (text.length > 8) frame.work(text.length >> 3);
}
