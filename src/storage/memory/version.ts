import type { StoredEntry, StoreEvent } from '../storage.ts';

const EMPTY_VALUE = new Uint8Array(0);

/** Bytes of a version besides its key and its value, approximately. */
const VERSION_BYTES = 200;

/** One change of one key. Stores that are forks of one another share it. */
export interface Version {
  readonly key: string;
  /** Undefined for a deletion. */
  readonly entry: StoredEntry | undefined;
  readonly revision: number;
  /** Expiry of the key, in milliseconds since the epoch; 0 for none. */
  readonly deadline: number;
  /** When the change was made, in milliseconds since the epoch, by the clock of the cluster. */
  readonly time: number;
  /** The change before, until no store can read it any more. */
  previous: Version | undefined;
}

/** Converts the change to a watch event. */
export function toEvent(version: Version): StoreEvent {
  const { key, revision, entry } = version;
  const previous = version.previous?.entry;
  if (!entry) return { type: 'delete', key, revision, value: EMPTY_VALUE, createRevision: 0, previous };
  return { type: 'put', key, revision, value: entry.value, createRevision: entry.createRevision, previous };
}

/** The newest change at or before a revision. @param head the newest change of the key */
export function versionAt(head: Version | undefined, revision: number): Version | undefined {
  let version = head;
  while (version && version.revision > revision) version = version.previous;
  return version;
}

/** Approximate bytes that a version keeps in memory. */
export const sizeOf = (version: Version): number =>
  version.key.length + (version.entry?.value.length ?? 0) + VERSION_BYTES;
