/**
 * Runs a task for each item, at most `limit` at a time, in the order of the items. After an error, others may
 * still be started.
 */
export async function concurrently<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const work = async () => {
    for (const [index, item] of waiting) await run(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}
