import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import { type Storage, toKey } from '../storage/storage.ts';
import type { ProcessClock } from '../time/clock.ts';

/** Delay before a watch that ended is started again. */
const RETRY_DELAY_MILLISECONDS = 1000;

/**
 * Calls a listener after each write of one Lease; after an interruption too, as writes may have been missed.
 * @returns a function that ends that
 */
export function watchLease(
  storage: Pick<Storage, 'watch'>,
  clock: Pick<ProcessClock, 'after'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  listener: () => void,
): () => void {
  const start = toKey(`${REGISTRY_ROOT}leases/${namespace}/${name}`);
  let end: () => void;
  const follow = (): void => {
    const watch = storage.watch({
      start,
      end: `${start}\0`,
      onEvents: listener,
      onEnd: () => {
        end = clock.after(RETRY_DELAY_MILLISECONDS, () => {
          follow();
          listener();
        });
      },
    });
    end = () => watch.close();
  };
  follow();
  return () => end();
}
