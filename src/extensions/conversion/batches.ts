import { writingPlain } from '../../codec/json-plain.ts';
import { runInBackground } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';
import type { PlainObject } from './conversion-review.ts';

/** Limits of one review: objects, and characters of their JSON unless there is only one. */
const MAXIMUM_OBJECTS = 500;
const MAXIMUM_CHARACTERS = 2 << 20;

/** Objects of one review. */
export interface Batch {
  /** Their positions among all objects. */
  readonly indexes: readonly number[];
  readonly encoded: readonly string[];
}

/** Encodes the objects of the next review, in steps. @param indexes of the objects to convert; @param at the first */
export async function nextBatch(
  objects: readonly PlainObject[],
  indexes: readonly number[],
  at: number,
): Promise<Batch> {
  const encoded: string[] = [];
  let characters = 0;
  let pausedAt = 0;
  for (const index of indexes.slice(at, at + MAXIMUM_OBJECTS)) {
    const steps = writingPlain(objects[index]!);
    const first = steps.next();
    const text = first.done === true ? first.value : await runInBackground(steps);
    if (encoded.length > 0 && characters + text.length > MAXIMUM_CHARACTERS) break;
    encoded.push(text);
    characters += text.length;
    if (characters - pausedAt < stepSizes.bytes) continue;
    pausedAt = characters;
    await yieldToEventLoop();
  }
  return { indexes: indexes.slice(at, at + encoded.length), encoded };
}
