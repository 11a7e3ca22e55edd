import { CacheRecord } from '../cache/record.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { JsonDocument } from './kind-codec.ts';

/** Forms of a record that were made in steps. */
export interface PreparedForms {
  /** The object of the working version, which others may have too. */
  readonly working?: KubernetesObject | undefined;
  /** The object of the served version; for its readers only. */
  readonly served?: KubernetesObject | undefined;
  readonly document?: JsonDocument | undefined;
}

/**
 * A large record with forms that were made in steps: what shows a record takes them from here, without long work.
 * It lives as long as the response or frame for which it was made, and has the cached encodings of the record.
 */
export class PreparedRecord extends CacheRecord {
  /** @param view the record in the bytes of the served version */
  constructor(
    record: CacheRecord,
    view: CacheRecord,
    readonly forms: PreparedForms = {},
  ) {
    super(record.key, record.revision, view.value, view.reader, record.corruption);
    this.unchangedFor = view.unchangedFor;
    record.memoChain ??= { first: undefined };
    this.memoChain = record.memoChain;
  }
}

/** The forms that were made of a record. */
export const formsOf = (record: CacheRecord): PreparedForms =>
  record instanceof PreparedRecord ? record.forms : NOTHING_PREPARED;

const NOTHING_PREPARED: PreparedForms = {};
