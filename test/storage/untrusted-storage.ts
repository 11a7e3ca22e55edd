import type { RangeChanges, StoreWatch, WatchOptions } from '../../src/storage/storage.ts';
import { LateStorage } from './late-storage.ts';

/** A store whose watches cannot report progress: requests are answered with what has been delivered. */
export class UntrustedStorage extends LateStorage {
  readonly untrustedProgress = true;
  /** Number of comparisons. */
  comparisons = 0;

  async changesSince(start: string, end: string, revision: number): Promise<RangeChanges> {
    this.comparisons += 1;
    const state = await this.inner.range({ start, end });
    return {
      written: state.entries.some((entry) => entry.revision > revision),
      count: state.count,
      revision: state.revision,
    };
  }

  override watch(options: WatchOptions): StoreWatch {
    let delivered = (options.startRevision ?? 1) - 1;
    const watch = super.watch({
      start: options.start,
      end: options.end,
      ...(options.startRevision !== undefined && { startRevision: options.startRevision }),
      onEvents: (events) => {
        delivered = events.at(-1)!.revision;
        options.onEvents(events);
      },
      onEnd: options.onEnd,
    });
    return {
      close: () => watch.close(),
      requestProgress: () => queueMicrotask(() => options.onProgress?.(delivered, true)),
    };
  }
}
