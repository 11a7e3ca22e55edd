import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import { prefixEnd, type Storage } from '../storage/storage.ts';

/**
 * Calls `run` once, after the first change of a store that delivers changes at once.
 * @returns a function that ends that; it resolves when a run that has begun is over
 */
export function afterFirstChange(
  storage: Pick<Storage, 'watch'>,
  run: () => Promise<void>,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isOver = false;
  const watch = storage.watch({
    start: REGISTRY_ROOT,
    end: prefixEnd(REGISTRY_ROOT),
    onEvents() {
      if (isOver) return;
      isOver = true;
      watch.close();
      running = run();
    },
    onEnd: () => undefined,
  });
  return () => {
    if (!isOver) watch.close();
    isOver = true;
    return running;
  };
}
