import { prefixEnd, type Storage, type StoreEvent } from '../storage/storage.ts';

const BATCH_BYTES = 1 << 20;

/**
 * Reads a batch of the store's events of one prefix after `revision`, about 1 MB and whole revisions. An empty
 * batch means that there are no events up to the returned revision, which is at least `target`.
 * @throws CompactedError
 */
export function readHistory(
  storage: Storage,
  prefix: string,
  revision: number,
  target: number,
): Promise<{ events: StoreEvent[]; revision: number }> {
  return new Promise((resolve, reject) => {
    const events: StoreEvent[] = [];
    let bytes = 0;
    let done = false;
    if (revision >= target) {
      resolve({ events, revision: target });
      return;
    }
    const finish = () => {
      if (done) return;
      done = true;
      resolve({ events, revision: target });
      queueMicrotask(() => watch.close());
    };
    const watch = storage.watch({
      start: prefix,
      end: prefixEnd(prefix),
      startRevision: revision + 1,
      onEvents(batch) {
        if (done) return;
        for (const event of batch) {
          events.push(event);
          bytes += event.value.length + (event.previous?.value.length ?? 0) + 100;
        }
        if (bytes >= BATCH_BYTES || batch.at(-1)!.revision >= target) finish();
      },
      onProgress(reached) {
        if (reached >= target) finish();
      },
      onEnd(error) {
        if (!done) {
          done = true;
          reject(error);
        }
      },
    });
    watch.requestProgress();
  });
}
