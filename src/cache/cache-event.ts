import type { StoreEvent } from '../storage/storage.ts';
import { CacheEvent, CacheRecord, type RecordReader } from './record.ts';

/**
 * Converts an event of the store.
 * @param events all events of their revisions
 * @param index position among the events of the revision
 * @param known the cached record of the key, shared if it is the previous one
 */
export function toCacheEvent(
  events: readonly StoreEvent[],
  position: number,
  index: number,
  known: CacheRecord | undefined,
  reader: RecordReader,
): CacheEvent {
  const event = events[position]!;
  const { type, key, revision, previous, previousCompacted } = event;
  const endsRevision = events[position + 1]?.revision !== revision;
  const current = type === 'put' ? CacheRecord.of(event, reader) : undefined;
  const before =
    previous === undefined
      ? previousCompacted && known
      : known?.revision === previous.revision
        ? known
        : CacheRecord.of(previous, reader);
  return new CacheEvent(revision, key, current, before, index, endsRevision);
}
