import { parseJson } from '../../../codec/json-parse.ts';
import { writePlain } from '../../../codec/json-plain.ts';
import { wrapDecodeError } from '../../../resources/corrupt-object.ts';
import { REGISTRY_ROOT } from '../../../resources/stored-resource.ts';
import { prefixEnd, type Storage, type StoredEntry, toKey } from '../../../storage/storage.ts';
import type { Definition } from './definition.ts';

/**
 * The objects of one definition, as the clean-up of a deleted definition needs them: without schema,
 * conversion, admission and authorization.
 */
export interface InstanceStore {
  /** Returns up to `limit` keys after `after` in key order. */
  keys(after: string, limit: number): Promise<readonly string[]>;
  /**
   * Deletes an object. One with finalizers gets its deletionTimestamp instead. Does nothing if the object is
   * absent or already being deleted.
   */
  delete(key: string): Promise<void>;
  /** Calls back after objects have been removed. @returns ends that */
  onRemoval(callback: () => void): () => void;
}

/** Returns the storage prefix of the objects of a definition, without the root. */
export const storagePrefix = ({ group, names: { plural = '' } }: Definition): string => `${group}/${plural}`;

interface StoredInstance {
  metadata?: {
    finalizers?: readonly string[] | null;
    deletionTimestamp?: string | null;
    deletionGracePeriodSeconds?: number;
    generation?: number;
  };
}

/**
 * Reads and deletes the objects of a definition in the store.
 * @param now RFC 3339 in seconds
 */
export function storedInstances(storage: Storage, definition: Definition, now: () => string): InstanceStore {
  const prefix = toKey(`${REGISTRY_ROOT}${storagePrefix(definition)}/`);
  const end = prefixEnd(prefix);
  return {
    async keys(after, limit) {
      const start = after === '' ? prefix : `${after}\0`;
      const { entries } = await storage.range({ start, end, limit, keysOnly: true, uncounted: true });
      return entries.map(({ key }) => key);
    },
    async delete(key) {
      let { entry } = await storage.get(key);
      while (entry !== undefined) {
        const value = deletedForm(entry, now());
        if (value === 'unchanged') return;
        const outcome = await storage.transact({ key, expected: entry.revision, value });
        if (outcome.succeeded) return;
        entry = outcome.current;
      }
    },
    onRemoval(callback) {
      const watch = storage.watch({
        start: prefix,
        end,
        onEvents: (events) => {
          if (events.some(({ type }) => type === 'delete')) callback();
        },
        // Periodic checks find what this watch misses.
        onEnd: () => undefined,
      });
      return () => watch.close();
    },
  };
}

/** The bytes of an object that is being deleted; undefined if it can be removed. */
function deletedForm(entry: StoredEntry, now: string): Uint8Array | undefined | 'unchanged' {
  // A corrupt object must not keep its definition forever.
  if (entry.corruption !== undefined) return undefined;
  const object = wrapDecodeError(
    entry.key,
    entry.value,
    () => parseJson(entry.value).value,
  ) as StoredInstance;
  const metadata = object.metadata ?? {};
  if ((metadata.finalizers ?? []).length === 0) return undefined;
  if (metadata.deletionTimestamp != null) return 'unchanged';
  metadata.deletionTimestamp = now;
  metadata.deletionGracePeriodSeconds = 0;
  if (metadata.generation !== undefined) metadata.generation += 1;
  return Buffer.from(`${writePlain(object)}\n`);
}
