import type { CacheEvent, CacheRecord, EventType } from '../../../cache/record.ts';
import type { ApiError } from '../../../status/index.ts';
import type { Steps } from '../../../steps/steps.ts';

/**
 * Encodes the frames of one watch, one per line regardless of `pretty`. All watchers of an event share the
 * frames of the same form.
 */
export interface EventEncoder {
  readonly contentType: string;
  /** Frames are text (WebSocket messages). */
  readonly text: boolean;
  event(type: EventType, record: CacheRecord, revision: number, event: CacheEvent | undefined): Uint8Array;
  /**
   * Prepares a large record for {@link event}; undefined when nothing is to be done. A watch without frames has
   * nothing to prepare.
   */
  prepare?(
    type: EventType,
    record: CacheRecord,
    revision: number,
    event: CacheEvent | undefined,
  ): Steps<CacheRecord> | undefined;
  /** Names the frames and the preparation, which watches of the same form share. */
  readonly form: string;
  /** @param initialEnd the bookmark that ends the initial state */
  bookmark(revision: number, initialEnd: boolean): Uint8Array;
  error(error: ApiError): Uint8Array;
}
