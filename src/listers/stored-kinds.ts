import type { CountableKinds } from '../controllers/resource-quota/counted-objects.ts';
import type { CountedKind } from '../quota/counted.ts';
import type { Resource } from '../reconcile/client.ts';
import type { ResourceRow, ResourceSet } from '../resources/resource-set.ts';
import { REGISTRY_ROOT } from '../resources/stored-resource.ts';
import { fromKey, prefixEnd, type Storage, toKey } from '../storage/storage.ts';
import type { ProcessClock } from '../time/clock.ts';

/** Delay before a watch that ended is started again. */
const RETRY_DELAY_MILLISECONDS = 1000;

/** The stored kinds, whose objects are counted in the store without reading them. */
export class StoredKinds implements CountableKinds {
  readonly #resources: ResourceSet;
  readonly #storage: Storage;
  readonly #clock: Pick<ProcessClock, 'after'>;

  constructor(resources: ResourceSet, storage: Storage, clock: Pick<ProcessClock, 'after'>) {
    this.#resources = resources;
    this.#storage = storage;
    this.#clock = clock;
  }

  find({ group, resource }: CountedKind): ResourceRow | undefined {
    return this.#resources.resources.find(
      (row) =>
        row.group === group && row.resource === resource && row.namespaced && row.verbs.includes('watch'),
    );
  }

  async count(resource: Resource, namespace: string): Promise<number> {
    const prefix = this.#prefixOf(resource);
    if (prefix === undefined) return 0;
    const start = toKey(`${prefix}${namespace}/`);
    return this.#storage.count(start, prefixEnd(start));
  }

  onRemoval(resource: Resource, listener: (namespace: string | undefined) => void): () => void {
    const prefix = this.#prefixOf(resource);
    if (prefix === undefined) return () => undefined;
    let end: () => void;
    const follow = (): void => {
      const watch = this.#storage.watch({
        start: prefix,
        end: prefixEnd(prefix),
        onEvents(events) {
          for (const { type, key } of events)
            if (type === 'delete') listener(fromKey(key.slice(prefix.length, key.lastIndexOf('/'))));
        },
        onEnd: () => {
          end = this.#clock.after(RETRY_DELAY_MILLISECONDS, () => {
            follow();
            listener(undefined);
          });
        },
      });
      end = () => watch.close();
    };
    follow();
    return () => end();
  }

  onChange(listener: (kinds: readonly CountedKind[]) => void): () => void {
    return this.#resources.onChange(({ removed, added }) => listener([...removed, ...added]));
  }

  #prefixOf({ group, version, resource }: Resource): string | undefined {
    const { storage } = this.#resources.find(group, version, resource) ?? {};
    return storage && toKey(`${REGISTRY_ROOT}${storage.prefix}/`);
  }
}
