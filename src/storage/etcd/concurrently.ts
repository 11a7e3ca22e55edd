/**
 * Runs a task for each item, at most `limit` at a time, in the order of the items. After an error no further task is
 * started, and the error is thrown when those that run have ended.
 */
export async function concurrently<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  let failed = false;
  const work = async () => {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        await run(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, work));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
