import type { CacheRecord } from './record.ts';

/** A necessary condition of a selection: a text of the record has one value. Indexes find records by it. */
export interface RecordQuery {
  /** Names the text. Equal names mean equal readers: served versions may read different texts. */
  readonly name: string;
  readonly value: string;
  /** Reads the text; undefined if the record has none. @throws the error of a record that cannot be read */
  read(record: CacheRecord): string | undefined;
}
