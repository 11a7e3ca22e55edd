import type { AwaitedResource, StoredPresence } from '../reconcile/presence.ts';
import type { Resources } from '../resources/resources.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import { prefixEnd, type Storage, toKey } from '../storage/storage.ts';
import type { ProcessClock } from '../time/clock.ts';

/** Delay before a store that does not answer is asked again. */
const RETRY_DELAY_MILLISECONDS = 1000;

/** Looks for a first key of a resource in the store, and watches for one while there is none. */
export class StoreKeys implements StoredPresence {
  readonly #resources: Pick<Resources, 'served' | 'serve'>;
  readonly #storage: Pick<Storage, 'range' | 'watch'>;
  readonly #clock: Pick<ProcessClock, 'after'>;

  constructor(
    resources: Pick<Resources, 'served' | 'serve'>,
    storage: Pick<Storage, 'range' | 'watch'>,
    clock: Pick<ProcessClock, 'after'>,
  ) {
    this.#resources = resources;
    this.#storage = storage;
    this.#clock = clock;
  }

  async hasAny(resource: AwaitedResource): Promise<boolean> {
    const found = this.#find(resource);
    if (found === undefined) return false;
    const { start, end, counts } = found;
    const { entries } = await this.#storage.range({ start, end, limit: 2, keysOnly: true, uncounted: true });
    return entries.some(({ key }) => counts(key));
  }

  whenAny(resource: AwaitedResource, listener: () => void): () => void {
    const found = this.#find(resource);
    if (found === undefined) return () => undefined;
    const { start, end, cache, counts } = found;
    let ended = false;
    let cancelAttempt = (): void => undefined;
    const stop = (): void => {
      ended = true;
      endWritten();
      cancelAttempt();
    };
    const present = (): void => {
      if (ended) return;
      stop();
      listener();
    };
    const endWritten = cache.onWritten((key, { record }) => {
      if (record !== undefined && counts(key)) present();
    });
    const attempt = (): void => {
      const watch = this.#storage.watch({
        start,
        end,
        onEvents(events) {
          if (events.some(({ type, key }) => type === 'put' && counts(key))) present();
        },
        onEnd: () => retry(),
      });
      cancelAttempt = () => watch.close();
      const retry = (): void => {
        watch.close();
        if (!ended) cancelAttempt = this.#clock.after(RETRY_DELAY_MILLISECONDS, attempt);
      };
      // An object that was stored before the watch began.
      this.hasAny(resource).then((isPresent) => isPresent && present(), retry);
    };
    attempt();
    return stop;
  }

  #find({ group, version, resource, besides }: AwaitedResource) {
    const row = this.#resources.served.find(group, version, resource);
    if (row?.storage === undefined) return undefined;
    const start = toKey(`${REGISTRY_ROOT}${row.storage.prefix}/`);
    const ignored =
      besides === undefined ? undefined : toKey(`${REGISTRY_ROOT}${row.storage.prefix}/${besides}`);
    return {
      start,
      end: prefixEnd(start),
      cache: this.#resources.serve(row).stored.cache,
      counts: (key: string) => key !== ignored,
    };
  }
}
