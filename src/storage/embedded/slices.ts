import { yieldToEventLoop } from '../../time/event-loop.ts';

const SLICE_KEYS = 500;

/**
 * All keys of a table in order, in slices of at most 500. The event loop runs after each slice.
 * @param first the lowest key
 * @param following returns the lowest key above another one
 */
export async function* slicesOf<Key>(
  table: { keys(start: Key, end: Key | undefined, limit: number): Key[] },
  first: Key,
  following: (key: Key) => Key,
): AsyncGenerator<readonly Key[], void> {
  for (let start = first; ; ) {
    const keys = table.keys(start, undefined, SLICE_KEYS);
    if (keys.length > 0) yield keys;
    await yieldToEventLoop();
    if (keys.length < SLICE_KEYS) return;
    start = following(keys.at(-1)!);
  }
}

/** {@link slicesOf} a table with texts as keys. */
export const textSlicesOf = (table: Parameters<typeof slicesOf<string>>[0]) =>
  slicesOf(table, '', (key) => `${key}\0`);
