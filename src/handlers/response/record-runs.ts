import type { CacheRecord } from '../../cache/record.ts';

/** Stored bytes of a run, from which on it may end, and at which it ends. */
const LEAST_BYTES = 96 * 1024;
const MOST_BYTES = 384 * 1024;
/** One key in so many ends a run. */
const KEYS_PER_END = 16;
/** Characters of a key that decide whether it does: names of one controller differ in the last ones. */
const DECIDING_CHARACTERS = 8;

/** Consecutive records of a list. */
export interface RecordRun {
  readonly records: readonly CacheRecord[];
  /** Depends on keys and revisions of the records; different runs may have the same. */
  readonly hash: number;
}

/**
 * Divides a list into runs. A key decides whether it ends one, so that a change of a record leaves other runs as they
 * are, and lists that have most records in common have most runs in common.
 */
export function* runsOf(records: readonly CacheRecord[]): Generator<RecordRun, void> {
  let start = 0;
  let bytes = 0;
  let hash = 0;
  for (let at = 0; at < records.length; at += 1) {
    const { key, revision, value } = records[at]!;
    const keyHash = hashOfEnd(key);
    hash = Math.imul(hash ^ keyHash ^ revision, 0x01000193);
    bytes += value.length;
    const isEnd = bytes >= MOST_BYTES || (bytes >= LEAST_BYTES && (keyHash >>> 12) % KEYS_PER_END === 0);
    if (!isEnd && at < records.length - 1) continue;
    yield { records: records.slice(start, at + 1), hash: hash >>> 0 };
    start = at + 1;
    bytes = 0;
    hash = 0;
  }
}

/** FNV-1a of the last characters of a key. */
function hashOfEnd(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = Math.max(0, key.length - DECIDING_CHARACTERS); at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash;
}
